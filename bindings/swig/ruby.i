/* Ruby: the typemaps of the extension mtlcap/mtlcap, on which mtlcap.rb builds. */
%module mtlcap

%{
#include <mtlcap/mtlcap.hpp>

static VALUE mtlcap_module() {
    return rb_const_get(rb_cObject, rb_intern("Mtlcap"));
}

/* mtlcap.rb makes a class for each row of error_rows(), and Mtlcap::Error. */
static VALUE to_ruby(const mtlcap::Error &error) {
    VALUE hash = rb_hash_new();
    rb_hash_aset(hash, ID2SYM(rb_intern("status")), INT2NUM(error.status));
    rb_hash_aset(hash, ID2SYM(rb_intern("item")), rb_utf8_str_new_cstr(error.item.c_str()));
    rb_hash_aset(hash, ID2SYM(rb_intern("line")), INT2NUM(error.line));
    rb_hash_aset(hash, ID2SYM(rb_intern("column")), INT2NUM(error.column));
    rb_hash_aset(hash, ID2SYM(rb_intern("hazard")), rb_utf8_str_new_cstr(error.hazard.c_str()));
    return rb_funcall(mtlcap_module(), rb_intern("make_error"), 2,
                      rb_utf8_str_new_cstr(error.what()), hash);
}

static VALUE to_ruby(const mtlcap::Value *value) {
    switch (value->kind) {
    case 0:
        return Qnil;
    case MTLCAP_KIND_BOOL:
        return value->number[0] ? Qtrue : Qfalse;
    case MTLCAP_KIND_TEXT:
        return rb_utf8_str_new_cstr(value->text.c_str());
    case MTLCAP_KIND_SIZE3:
        return rb_ary_new_from_args(3, ULL2NUM(value->number[0]), ULL2NUM(value->number[1]),
                                    ULL2NUM(value->number[2]));
    default:
        return ULL2NUM(value->number[0]);
    }
}
%}

%feature("compactdefaultargs", "1");
%ignore mtlcap::Value;

/* Ruby raises by a jump that destroys nothing of C++. So what the call has left is told when the call
 * is over, and whatever is raised meanwhile, or to be raised, is raised when it is destroyed. */
%exception {
    int jump = 0;
    VALUE error = Qnil;
    {
        Outcome outcome;
        {
            static const bool looks = looks_at_devices("$name");
            Call call(looks);
            try {
                $action
            } catch (const mtlcap::Error &e) {
                outcome.error = e;
            }
            outcome.messages.swap(call.messages);
        }
        error = rb_protect(tell, reinterpret_cast<VALUE>(&outcome), &jump);
    }
    if (jump)
        rb_jump_tag(jump);
    if (!NIL_P(error))
        rb_exc_raise(error);
}

/* Text for C++ is the collector's: what is raised leaves it behind. */
%include <std_string.i>
%{
static const rb_data_type_t text_type = {
    "mtlcap text",
    {nullptr, [](void *text) { delete static_cast<std::string *>(text); }, nullptr, nullptr, {}},
    nullptr, nullptr, RUBY_TYPED_FREE_IMMEDIATELY};

static std::string *to_text(VALUE value, volatile VALUE *keeper) {
    StringValue(value);
    *keeper = TypedData_Wrap_Struct(rb_cObject, &text_type, nullptr);
    auto *text = new std::string(RSTRING_PTR(value), static_cast<std::size_t>(RSTRING_LEN(value)));
    RTYPEDDATA_DATA(*keeper) = text;
    return text;
}
%}
%typemap(in) const std::string & (volatile VALUE keeper) "$1 = to_text($input, &keeper);"
%typemap(freearg) const std::string & "RB_GC_GUARD(keeper$argnum);"

%typemap(out) mtlcap::Value *, const mtlcap::Value & "$result = to_ruby($1);"
%typemap(out) int kind "$result = rb_utf8_str_new_cstr(kind_name($1));"
%typemap(out) std::optional<bool>
    "$result = $1 ? (*$1 ? Qtrue : Qfalse) : Qnil;"
%typemap(out) std::string "$result = rb_utf8_str_new_cstr($1.c_str());"
%typemap(out) const std::string & "$result = rb_utf8_str_new_cstr($1->c_str());"

/* Lists are arrays of copies. */
%define %list(NAME, TYPE)
%{
static VALUE to_ruby(const std::vector<TYPE> &rows, swig_type_info *type) {
    VALUE array = rb_ary_new();
    for (const TYPE &row : rows)
        rb_ary_push(array, SWIG_NewPointerObj(new TYPE(row), type, SWIG_POINTER_OWN));
    return array;
}
%}
%typemap(out) std::vector<TYPE>
    "$result = to_ruby(static_cast<const std::vector<TYPE> &>($1), $descriptor(TYPE *));"
%typemap(out) std::vector<TYPE> *, const std::vector<TYPE> & "$result = to_ruby(*$1, $descriptor(TYPE *));"
%enddef

/* A device: nil (the first), a Device, or an address. */
%typemap(in) void *device {
    VALUE address = $input;
    if (rb_respond_to(address, rb_intern("pointer")))
        address = rb_funcall(address, rb_intern("pointer"), 0);
    if (!NIL_P(address) && !RB_INTEGER_TYPE_P(address))
        rb_raise(rb_eTypeError, "device must be a Device or an address, not %" PRIsVALUE, rb_inspect(address));
    $1 = NIL_P(address) ? nullptr : reinterpret_cast<void *>(NUM2ULL(address));
}
%typemap(out) void *pointer, void *device "$result = ULL2NUM(reinterpret_cast<uintptr_t>($1));"

%rename("$ignore", regextarget = 1, %$isclass) "Error$"; /* mtlcap.rb has them */
%rename("native_apply") mtlcap::apply;
%rename("native_check") mtlcap::check;
%rename("native_explain") mtlcap::explain;
%rename("native_query") mtlcap::query;
%rename("active?") mtlcap::is_active;
%rename("adopted?") mtlcap::Device::adopted;
%rename("allowed?") mtlcap::Finding::allowed;
%rename("can_lower?") mtlcap::Capability::can_lower;
%rename("can_raise?") mtlcap::Capability::can_raise;
%rename("met?") mtlcap::Check::met;
%rename("derived?") mtlcap::Answer::derived;
%rename("derived?") mtlcap::Change::derived;
%rename("overridden?") mtlcap::Answer::overridden;
%rename("paravirtual?") mtlcap::Device::paravirtual;
%rename("refuses?") mtlcap::Finding::refuses;
%rename("refuses?") mtlcap::Hazard::refuses;
%rename("simulated?") mtlcap::Machine::simulated;
%rename("stock_known?") mtlcap::Answer::stock_known;

%include "calls.i"
%{
/* What a call has left to be told. */
struct Outcome {
    std::optional<mtlcap::Error> error;
    std::vector<Message> messages;
};

/* Tells it, and makes the exception; nil if there is none. */
static VALUE tell(VALUE argument) {
    const Outcome *outcome = reinterpret_cast<const Outcome *>(argument);
    if (!outcome->messages.empty()) {
        VALUE array = rb_ary_new(); /* level, text, level, text, ... */
        for (const Message &message : outcome->messages) {
            rb_ary_push(array, INT2NUM(message.level));
            rb_ary_push(array, rb_utf8_str_new_cstr(message.text.c_str()));
        }
        rb_funcall(mtlcap_module(), rb_intern("tell"), 1, array);
    }
    return outcome->error ? to_ruby(*outcome->error) : Qnil;
}
%}
%inline %{
/* A scope that is there before it is entered: so it can be left, whatever is raised on entering. */
class Entry {
  public:
    Entry() = default;
    void enter(const std::string &profile, const std::string &allow) {
        scope.emplace(profile, allow);
    }
    void leave() {
        scope.reset();
    }

  private:
    std::optional<mtlcap::Scope> scope;
};
%}
%ignore mtlcap::Scope;

%include "mtlcap.i"
