/* Node: the typemaps of the addon mtlcap.node, on which index.js builds. */
%module mtlcap

%{
#include <mtlcap/mtlcap.hpp>

/* index.js makes its classes of errors from error_rows(), and picks one by the status. */
static Napi::Error to_js(Napi::Env env, const mtlcap::Error &error) {
    Napi::Error result = Napi::Error::New(env, error.what());
    Napi::Object object = result.Value();
    object.Set("status", Napi::Number::New(env, error.status));
    object.Set("item", Napi::String::New(env, error.item));
    object.Set("line", Napi::Number::New(env, error.line));
    object.Set("column", Napi::Number::New(env, error.column));
    object.Set("hazard", Napi::String::New(env, error.hazard));
    return result;
}

static Napi::Value to_js(Napi::Env env, const mtlcap::Value &value) {
    switch (value.kind) {
    case 0:
        return env.Null();
    case MTLCAP_KIND_BOOL:
        return Napi::Boolean::New(env, value.number[0] != 0);
    case MTLCAP_KIND_TEXT:
        return Napi::String::New(env, value.text);
    case MTLCAP_KIND_SIZE3: {
        Napi::Array array = Napi::Array::New(env);
        for (uint32_t i = 0; i < 3; i++)
            array.Set(i, static_cast<double>(value.number[i]));
        return array;
    }
    default:
        return Napi::Number::New(env, static_cast<double>(value.number[0]));
    }
}
%}

%exception {
    static const bool looks = looks_at_devices("$name");
    Call call(looks);
    bool failed = false;
    try {
        $action
    } catch (const mtlcap::Error &error) {
        to_js(env, error).ThrowAsJavaScriptException();
        failed = true;
    }
    said.insert(said.end(), call.messages.begin(), call.messages.end());
    if (failed)
        SWIG_fail;
}

/* Of the function, so that leaving it by an error frees it as well. */
%include <std_string.i>
%typemap(in) const std::string & (std::string text) {
    if (!$input.IsString()) {
        SWIG_exception_fail(SWIG_TypeError, "$1_name must be a string");
    }
    text = $input.ToString().Utf8Value();
    $1 = &text;
}
%typemap(freearg) const std::string & ""

%feature("compactdefaultargs", "1");
%rename("%(lowercamelcase)s", %$isfunction) "";
%rename("%(lowercamelcase)s", %$isvariable) "";
%rename("$ignore", regextarget = 1, %$isclass) "Error$";
%ignore mtlcap::Value;

%typemap(out) mtlcap::Value *, const mtlcap::Value & "$result = to_js(env, *$1);"
%typemap(out) int kind "$result = Napi::String::New(env, kind_name($1));"
%typemap(out) std::optional<bool>
    "$result = $1 ? Napi::Boolean::New(env, *$1) : env.Null();"

/* Lists are arrays of copies. */
%define %list(NAME, TYPE)
%{
static Napi::Value to_js(Napi::Env env, const std::vector<TYPE> &rows, swig_type_info *type) {
    Napi::Array array = Napi::Array::New(env, rows.size());
    for (uint32_t i = 0; i < rows.size(); i++)
        array.Set(i, SWIG_NewPointerObj(new TYPE(rows[i]), type, SWIG_POINTER_OWN));
    return array;
}
%}
%typemap(out) std::vector<TYPE>
    "$result = to_js(env, static_cast<const std::vector<TYPE> &>($1), $descriptor(TYPE *));"
%typemap(out) std::vector<TYPE> *, const std::vector<TYPE> &
    "$result = to_js(env, *$1, $descriptor(TYPE *));"
%enddef

/* Devices are addresses; index.js takes those of objects. */
%typemap(in) void *device {
    $1 = reinterpret_cast<void *>($input.ToNumber().Int64Value());
}
%typemap(out) void *pointer, void *device
    "$result = Napi::Number::New(env, static_cast<double>(reinterpret_cast<uintptr_t>($1)));"

%include "calls.i"

/* What calls have said, for index.js to take: arrays of a level and a text. A thread has one
 * environment of Node. */
%{
static thread_local std::vector<Message> said;
%}
%typemap(out) std::vector<Message> {
    Napi::Array array = Napi::Array::New(env);
    for (const Message &message : static_cast<const std::vector<Message> &>($1)) {
        Napi::Array row = Napi::Array::New(env);
        row.Set(0u, Napi::Number::New(env, message.level));
        row.Set(1u, Napi::String::New(env, message.text));
        array.Set(array.Length(), row);
    }
    $result = array;
}
%inline %{
static std::vector<Message> take_messages() {
    std::vector<Message> taken;
    taken.swap(said);
    return taken;
}
%}

%include "mtlcap.i"
