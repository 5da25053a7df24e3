/*
 * mtlcap.h for C++17: values, exceptions, and a scope that restores. Only a header; link the same
 * library.
 *
 *     #include <iostream>
 *     #include <mtlcap/mtlcap.hpp>
 *
 *     mtlcap::apply("auto");                        // before the first Metal client asks
 *     std::cout << mtlcap::query("apple") << "\n";  // apple: 7 (stock: 5; auto: apple.min=7)
 *     mtlcap::restore();                            // stock answers, for every caller
 *     mtlcap::Scope scope("apple.max=6");           // until the end of the block
 *
 * What each call does, its units and its threads: see the function of its name in mtlcap.h. What
 * can fail throws an mtlcap::Error; what was in force before stays in force.
 */
#ifndef MTLCAP_MTLCAP_HPP
#define MTLCAP_MTLCAP_HPP

#include <atomic>
#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <mtlcap/mtlcap.h>

namespace mtlcap {

/* ---- errors ------------------------------------------------------------- */

/* The exception of each status. X(status, class) */
#define MTLCAP_ERROR_MAP(X)                                                                        \
    X(E_ARGUMENT, ArgumentError)                                                                   \
    X(E_NO_MEMORY, NoMemoryError)                                                                  \
    X(E_UNSUPPORTED, UnsupportedError)                                                             \
    X(E_NO_DEVICE, NoDeviceError)                                                                  \
    X(E_PROFILE, ProfileError)                                                                     \
    X(E_HAZARD, HazardError)                                                                       \
    X(E_CAPABILITY, CapabilityError)                                                               \
    X(E_NOT_A_DEVICE, NotADeviceError)                                                             \
    X(E_SLOTS, SlotsError)                                                                         \
    X(E_NOT_REACHED, NotReachedError)                                                              \
    X(E_FILE, ProfileFileError)                                                                    \
    X(E_VERSION, VersionError)                                                                     \
    X(E_BUSY, BusyError)                                                                           \
    X(E_RUNTIME, HookError)

/* what() is a sentence: what is wrong, where, and what would be right. */
struct Error : std::runtime_error {
    explicit Error(const mtlcap_error &error)
        : std::runtime_error(error.message), status(error.status), line(error.line),
          column(error.column), item(error.item), hazard(error.hazard) {
    }
    int status;         /* MTLCAP_E_... */
    int line;           /* malformed profile file: its line, from 1; otherwise 0 */
    int column;         /* malformed profile: column in bytes, from 1; otherwise 0 */
    std::string item;   /* malformed profile: the item; otherwise "" */
    std::string hazard; /* refused: its name, as apply() takes it; otherwise "" */
};

#define MTLCAP_ERROR_CLASS(name, type)                                                             \
    struct type : Error {                                                                          \
        explicit type(const mtlcap_error &error) : Error(error) {                                  \
        }                                                                                          \
    };
MTLCAP_ERROR_MAP(MTLCAP_ERROR_CLASS)
#undef MTLCAP_ERROR_CLASS

namespace detail {

[[noreturn]] inline void fail(const mtlcap_error &error) {
#define MTLCAP_ERROR_CASE(name, type)                                                              \
    case MTLCAP_##name:                                                                            \
        throw type(error);
    switch (error.status) {
        MTLCAP_ERROR_MAP(MTLCAP_ERROR_CASE)
    default:
        throw Error(error);
    }
#undef MTLCAP_ERROR_CASE
}

inline void check(int status) {
    if (status == MTLCAP_OK)
        return;
    mtlcap_error error = MTLCAP_ERROR_INIT;
    mtlcap_last_error_info(&error);
    fail(error);
}

/* Row 0 to count - 1 of a table of the C API, each as `convert` makes it. */
template <class Row, class Info, class Convert>
auto rows(std::uint32_t count, Info info, Convert convert) {
    std::vector<decltype(convert(Row()))> all;
    for (std::uint32_t i = 0; i < count; i++) {
        Row row;
        mtlcap_init(&row, sizeof row);
        check(info(i, &row));
        all.push_back(convert(row));
    }
    return all;
}

[[noreturn]] inline void refuse(const std::string &why) {
    mtlcap_error error = MTLCAP_ERROR_INIT;
    error.status = MTLCAP_E_ARGUMENT;
    why.copy(error.message, sizeof error.message - 1);
    fail(error);
}

/* Text as C takes it: a NUL inside would cut it. */
inline const char *text(const std::string &text) {
    if (text.find('\0') != std::string::npos)
        refuse("text has a NUL character in it");
    return text.c_str();
}

/* As from getenv(): what is not set is NULL, of which no std::string can be made. */
inline std::string given(const char *text, const char *why_not_null) {
    if (!text)
        refuse(why_not_null);
    return text;
}

inline std::string profile(const char *name) {
    return given(name, "profile is NULL: name one, for instance \"auto\"");
}

} // namespace detail

/* ---- ask ---------------------------------------------------------------- */

struct Value {
    int kind = 0;                        /* MTLCAP_KIND_...; 0: not known */
    std::uint64_t number[3] = {0, 0, 0}; /* by kind: see struct mtlcap_value */
    std::string text;                    /* for people: "7", "off", "1024x1024x1024", "yes" */
};

struct Answer {
    std::string capability;   /* its key */
    int kind = 0;             /* MTLCAP_KIND_... */
    Value stock;              /* what the device says by itself */
    Value effective;          /* what callers get now */
    bool stock_known = false; /* false: stock.kind is 0, its text not to be relied on */
    bool overridden = false;  /* the profile in force has a rule for it on this device */
    bool derived = false;     /* no rule of its own: Metal computes it from one that has */
    std::string rule;         /* "auto: apple.min=7"; "" if not overridden */
    std::string source;       /* where the stock answer comes from: "Metal", or a shim's path */
};

inline std::string to_string(const Answer &answer) {
    std::string line = answer.capability + ": " + answer.effective.text;
    if (answer.stock.text == answer.effective.text)
        return line;
    const std::string why = answer.derived ? "derived" : answer.source;
    return line + " (stock: " + answer.stock.text + "; " +
           (answer.rule.empty() ? why : answer.rule) + ")";
}

/* `device` is an id<MTLDevice>; nullptr: the first. */
inline Answer query(const std::string &capability, void *device = nullptr) {
    mtlcap_answer row = MTLCAP_ANSWER_INIT;
    detail::check(mtlcap_query(device, detail::text(capability), &row));
    auto value = [](int kind, const mtlcap_value &from) {
        return Value{kind, {from.number[0], from.number[1], from.number[2]}, from.text};
    };
    return {row.capability,
            row.kind,
            value(row.stock_known ? row.kind : 0, row.stock),
            value(row.kind, row.effective),
            row.stock_known != 0,
            row.overridden != 0,
            row.derived != 0,
            row.rule,
            row.source};
}

#ifndef SWIG
inline Answer query(const char *capability, void *device = nullptr) {
    return mtlcap::query(
        detail::given(capability, "capability is NULL: name one, for instance \"apple\""), device);
}
#endif

struct Check {
    bool met = false;       /* the answer is as expected */
    std::string capability; /* its key */
    std::string expected;   /* ">=7", "=32K": as given */
    std::string found;      /* for people: "5"; "": the device does not have the method */
    std::string message;    /* "expected apple>=7, found 5" */
};

inline std::string to_string(const Check &check) {
    return check.message;
}

/* Is an answer as expected: "apple>=7"? `device`: as for query(). */
inline Check check(const std::string &expectation, void *device = nullptr) {
    mtlcap_check row = MTLCAP_CHECK_INIT;
    detail::check(mtlcap_check_answer(device, detail::text(expectation), &row));
    return {row.met != 0, row.capability, row.expected, row.found, row.message};
}

#ifndef SWIG
inline Check check(const char *expectation, void *device = nullptr) {
    return mtlcap::check(
        detail::given(expectation, "expectation is NULL: write one, for instance \"apple>=7\""),
        device);
}
#endif

struct Device {
    void *pointer = nullptr; /* id<MTLDevice>; alive as long as the process */
    std::string name;        /* -[MTLDevice name] */
    std::string class_name;  /* the class that answers, below any tool's wrapper */
    bool paravirtual = false, adopted = false;
};

inline std::vector<Device> devices() {
    std::uint32_t count = 0;
    detail::check(mtlcap_device_count(&count));
    std::vector<Device> found;
    for (std::uint32_t i = 0; i < count; i++) {
        mtlcap_device row = MTLCAP_DEVICE_INIT;
        const int status = mtlcap_device_info(i, &row);
        if (status == MTLCAP_E_NO_DEVICE) /* one has gone since */
            break;
        detail::check(status);
        found.push_back(
            {row.device, row.name, row.class_name, row.paravirtual != 0, row.adopted != 0});
    }
    return found;
}

inline void adopt(void *device) {
    detail::check(mtlcap_adopt_device(device));
}

/* ---- apply, restore ----------------------------------------------------- */

struct Change {
    void *device = nullptr; /* id<MTLDevice>; nullptr where there is none */
    std::string capability; /* its key */
    std::string stock;      /* for people */
    std::string effective;
    std::string rule; /* "" if derived */
    bool derived = false;
};

inline std::string to_string(const Change &change) {
    return change.capability + ": " + change.stock + " -> " + change.effective + " (" +
           (change.derived ? "derived" : change.rule) + ")";
}

struct Finding {
    std::string hazard; /* its name, as apply() takes it */
    std::string rule;
    std::string message; /* the reason, and how to override it */
    bool refuses = false, allowed = false;
};

struct Report {
    std::uint64_t generation = 0; /* 0: no profile is in force */
    std::string profile;
    std::string allowed;
    unsigned device_count = 0, class_count = 0, hook_count = 0;
    std::vector<Change> changes;   /* what differs from stock */
    std::vector<Finding> findings; /* hazards that were met */
};

struct Explanation {
    int status = MTLCAP_OK; /* what apply() would fail with */
    std::string error;      /* what its exception would say; "" if it would succeed */
    std::vector<Change> rules;
    std::vector<Finding> findings;
};

namespace detail {

inline Finding finding(const mtlcap_finding &row) {
    return {row.hazard, row.rule, row.message, row.refuses != 0, row.allowed != 0};
}

inline mtlcap_options options(const std::string &allow) {
    mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = text(allow);
    return options;
}

inline std::uint64_t apply(const std::string &profile, const std::string &allow, bool nested) {
    std::uint64_t generation = 0;
    mtlcap_options given = options(allow);
    given.generation = &generation;
    given.nested = nested;
    check(mtlcap_apply_profile(text(profile), &given));
    return generation;
}

inline mtlcap_report report_info() {
    mtlcap_report info = MTLCAP_REPORT_INIT;
    check(mtlcap_report_info(&info));
    return info;
}

inline Report read_report(const mtlcap_report &info) {
    Report report{info.generation,  info.profile,    info.allowed, info.device_count,
                  info.class_count, info.hook_count, {},           {}};
    report.changes =
        rows<mtlcap_change>(info.change_count, mtlcap_report_change, [](const mtlcap_change &row) {
            return Change{row.device,    row.capability, row.stock,
                          row.effective, row.rule,       row.derived != 0};
        });
    report.findings = rows<mtlcap_finding>(info.finding_count, mtlcap_report_finding, finding);
    return report;
}

} // namespace detail

/* What the apply that is in force did, whoever applied it. */
inline Report report() {
    for (;;) {
        const mtlcap_report info = detail::report_info();
        try {
            Report report = detail::read_report(info);
            if (detail::report_info().published == info.published)
                return report;
        } catch (const ArgumentError &) { /* another profile has come into force meanwhile */
        }
    }
}

/* `allow`: names of hazards consented to, joined by '+'. */
inline Report apply(const std::string &profile = "auto", const std::string &allow = "") {
    detail::apply(profile, allow, false);
    return report();
}

#ifndef SWIG
inline Report apply(const char *profile, const std::string &allow = "") {
    return mtlcap::apply(detail::profile(profile), allow);
}
#endif

inline void restore() {
    mtlcap_restore();
}

/* The number of the apply in force; 0: none. */
inline std::uint64_t generation() {
    return mtlcap_generation();
}

inline bool is_active() {
    return mtlcap_is_active() != 0;
}

/* What a profile would do here, changing nothing. */
inline Explanation explain(const std::string &profile, const std::string &allow = "") {
    const char *spec = detail::text(profile);
    const mtlcap_options options = detail::options(allow);
    mtlcap_explanation info = MTLCAP_EXPLANATION_INIT;
    detail::check(mtlcap_explain_profile(spec, &options, &info));
    Explanation explanation;
    explanation.status = info.status;
    explanation.error = info.status == MTLCAP_OK ? "" : mtlcap_last_error();
    auto rule = [&](std::uint32_t i, mtlcap_rule *row) {
        return mtlcap_explain_rule(spec, &options, i, row);
    };
    auto finding = [&](std::uint32_t i, mtlcap_finding *row) {
        return mtlcap_explain_finding(spec, &options, i, row);
    };
    explanation.rules =
        detail::rows<mtlcap_rule>(info.rule_count, rule, [](const mtlcap_rule &row) {
            return Change{row.device, row.capability, row.stock, row.effective, row.rule, false};
        });
    explanation.findings =
        detail::rows<mtlcap_finding>(info.finding_count, finding, detail::finding);
    return explanation;
}

#ifndef SWIG
inline Explanation explain(const char *profile, const std::string &allow = "") {
    return mtlcap::explain(detail::profile(profile), allow);
}
#endif

/*
 * Puts a profile in force, for the whole process, until its end or close(); then what was in force
 * before comes back. If by then something else is in force (another apply, restore, or a scope that
 * was entered later), leaving changes nothing: so scopes may end in any order, also those of other
 * copies of this header and of other languages, and the last one to end brings back what there was
 * before all of them: struct mtlcap_options, nested.
 *
 * Give it a name: `mtlcap::Scope("auto");` ends where it begins.
 */
class Scope {
  public:
    [[nodiscard]] explicit Scope(const std::string &profile = "auto",
                                 const std::string &allow = "");
#ifndef SWIG
    [[nodiscard]] explicit Scope(const char *profile, const std::string &allow = "")
        : Scope(detail::profile(profile), allow) {
    }
#endif
    ~Scope() {
        close();
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    void close() noexcept; /* idempotent, by any thread; what cannot come back: stock */

  private:
    std::atomic<std::uint64_t> generation_; /* 0: closed */
};

inline Scope::Scope(const std::string &profile, const std::string &allow)
    : generation_(detail::apply(profile, allow, true)) {
}

inline void Scope::close() noexcept {
    if (const std::uint64_t generation = generation_.exchange(0))
        mtlcap_restore_generation(generation);
}

/* ---- what there is ------------------------------------------------------ */

struct Capability {
    std::string key;      /* "threadgroup_memory" */
    std::string selector; /* Metal's: "maxThreadgroupMemoryLength" */
    int kind = 0;         /* MTLCAP_KIND_... */
    std::string unit;     /* "bytes", ...; "" if none */
    bool can_lower = false, can_raise = false;
    std::string hazard; /* of raising it; "" if none */
    std::string summary;
};

struct Profile {
    std::string name;
    std::string rules;
    std::string summary;
    std::string source; /* where its numbers come from; "" if it has none */
};

struct Hazard {
    std::string name; /* as apply() takes it */
    std::string when;
    std::string breaks;
    std::string source;
    bool refuses = false; /* refused unless allowed; otherwise a warning */
};

struct Machine {
    std::uint64_t memory = 0; /* bytes; 0: unknown */
    std::optional<bool> virtual_machine;
    std::optional<bool> apple_silicon;
    std::string chip;    /* "Apple M1 Ultra (Virtual)"; "" if unknown */
    int chip_family = 0; /* Apple family of the chip's GPU; 0: unknown */
    std::string model;
    std::string os_version; /* "26.5.2"; "" if unknown */
    bool simulated = false; /* the GPU is the simulated Metal's */
};

inline std::vector<Capability> capabilities() {
    return detail::rows<mtlcap_capability>(
        mtlcap_capability_count(), mtlcap_capability_info, [](const mtlcap_capability &row) {
            return Capability{row.key,
                              row.selector,
                              row.kind,
                              row.unit,
                              (row.change & MTLCAP_CAN_LOWER) != 0,
                              (row.change & MTLCAP_CAN_RAISE) != 0,
                              row.hazard,
                              row.summary};
        });
}

/* The built-in profiles. */
inline std::vector<Profile> profiles() {
    return detail::rows<mtlcap_profile>(
        mtlcap_profile_count(), mtlcap_profile_info, [](const mtlcap_profile &row) {
            return Profile{row.name, row.rules, row.summary, row.source};
        });
}

inline std::vector<Hazard> hazards() {
    return detail::rows<mtlcap_hazard>(
        mtlcap_hazard_count(), mtlcap_hazard_info, [](const mtlcap_hazard &row) {
            return Hazard{row.name, row.when, row.breaks, row.source, row.refuses != 0};
        });
}

/* The machine as profiles and hazards see it. */
inline Machine machine() {
    mtlcap_machine row = MTLCAP_MACHINE_INIT;
    detail::check(mtlcap_machine_info(&row));
    auto known = [](std::int32_t value) {
        return value == MTLCAP_UNKNOWN ? std::nullopt : std::optional<bool>(value != 0);
    };
    return {row.memory,
            known(row.virtual_machine),
            known(row.apple_silicon),
            row.chip,
            row.chip_family,
            row.model,
            row.os_version,
            row.simulated != 0};
}

/* Of the library in use: "0.1.0". */
inline std::string version() {
    return mtlcap_version();
}

#ifndef SWIG
/* Answers, checks and changes, for people. */
template <class Row>
auto operator<<(std::ostream &stream, const Row &row) -> decltype(stream << to_string(row)) {
    return stream << to_string(row);
}
#endif

} // namespace mtlcap
#endif
