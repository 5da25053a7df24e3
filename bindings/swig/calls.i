/*
 * What happens around every call of Node, Ruby and Java: what the library says during it is handed
 * out after it, on its thread, and whether it is too late is looked at before it looks at devices.
 *
 * The language's %exception calls so, and then tells call.messages:
 *     static const bool looks = looks_at_devices("$name");
 *     Call call(looks);
 *     try { $action } ...
 */
%include <std_string.i>

%{
#include <cstdio>
#include <exception>
#include <mtlcap/mtlcap.hpp>

#include "order.h"

struct Message {
    int level; /* MTLCAP_LOG_... */
    std::string text;
};

/* Does a function, by its name as SWIG has it, look at the devices, which makes them? */
static bool looks_at_devices(const std::string &function) {
    for (const char *name : {"mtlcap::adopt", "mtlcap::apply", "mtlcap::check", "mtlcap::devices",
                             "mtlcap::explain", "mtlcap::query", "Scope", "enter"})
        if (function == name)
            return true;
    return false;
}

/* A call by the language on this thread. */
class Call {
  public:
    explicit Call(bool looks) : outer(current) {
        current = this;
        if (looks)
            mtlcap_order_look();
    }
    ~Call() {
        current = outer;
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    std::vector<Message> messages;

    /* What others' calls from C cause goes to stderr, as it would without us: on their threads
     * nothing of the language may run. */
    static void say(int level, const char *text, void *) noexcept {
        if (!current) {
            if (level <= MTLCAP_LOG_WARNING)
                std::fprintf(stderr, "mtlcap: %s\n", text);
            return;
        }
        try {
            current->messages.push_back({level, text});
        } catch (const std::exception &) { /* out of memory */
        }
    }

  private:
    Call *outer;
    static thread_local Call *current;
};
thread_local Call *Call::current = nullptr;
%}

%inline %{
/* Hands out what is said, from now on, or no more. */
static void keep_messages(bool keep) {
    mtlcap::detail::check(mtlcap_set_log(keep ? MTLCAP_LOG_DEBUG : MTLCAP_LOG_WARNING,
                                         keep ? Call::say : nullptr, nullptr));
}

/* Why a profile would come too late; "" if it does not, changes nothing, or would fail. */
static std::string why_late(const std::string &profile, const std::string &allow) {
    bool changes = false;
    if (!mtlcap_order_look())
        return "";
    try {
        const mtlcap::Explanation explanation = mtlcap::explain(profile, allow);
        for (const mtlcap::Change &rule : explanation.rules)
            changes = changes || (explanation.status == MTLCAP_OK && rule.stock != rule.effective);
    } catch (const mtlcap::Error &) { /* as apply will say */
    }
    if (!changes)
        return "";
    std::string who, name;
    char path[1024];
    for (uint32_t i = 0; const char *client = mtlcap_order_client(i, path, sizeof path); i++)
        if (path[0] && name != client)
            who += (who.empty() ? "" : " or ") + (name = client) + " (" + path + ")";
    return "profile '" + profile + "' comes too late for what has asked Metal already, and remembers "
           "what it said: " + (who.empty() ? "something in this process" : who) +
           ". Apply before the first use of it, or start the program by: mtlcap run -p '" + profile +
           "' -- PROGRAM";
}
%}
