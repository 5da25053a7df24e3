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

/* Told and raised when no C++ is left to be unwound: raising does not return. */
%exception {
    VALUE error = Qnil, messages = Qnil;
    {
        static const bool looks = looks_at_devices("$name");
        Call call(looks);
        try {
            $action
        } catch (const mtlcap::Error &e) {
            error = to_ruby(e);
        }
        messages = to_ruby(call.messages);
    }
    if (!NIL_P(messages))
        rb_funcall(mtlcap_module(), rb_intern("tell"), 1, messages);
    if (!NIL_P(error))
        rb_exc_raise(error);
}

%typemap(out) mtlcap::Value *, const mtlcap::Value & "$result = to_ruby($1);"
%typemap(out) int kind "$result = rb_utf8_str_new_cstr(kind_name($1));"
%typemap(out) std::optional<bool>
    "$result = $1 ? (*$1 ? Qtrue : Qfalse) : Qnil;"
%typemap(out) const std::string, std::string, const std::string &
    "$result = rb_utf8_str_new_cstr(static_cast<const std::string &>($1).c_str());"

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
/* Level, text, level, text, ...; nil if there is none. */
static VALUE to_ruby(const std::vector<Message> &messages) {
    VALUE array = messages.empty() ? Qnil : rb_ary_new();
    for (const Message &message : messages) {
        rb_ary_push(array, INT2NUM(message.level));
        rb_ary_push(array, rb_utf8_str_new_cstr(message.text.c_str()));
    }
    return array;
}
%}

%include "mtlcap.i"
