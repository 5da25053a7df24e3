/*
 * The interface for SWIG: the C++ API of mtlcap/mtlcap.hpp, less what no other language needs.
 *
 * It is included by a file for each language (node.i, ruby.i, java.i), which names the module and says
 * what becomes of mtlcap::Error, mtlcap::Value, std::optional<bool>, `int kind` (by kind_name()),
 * device pointers and, by the macro %list(NAME, TYPE), std::vector<TYPE>. docs/other-languages.md says
 * how to write another one.
 */
%include <std_string.i>

%{
#include <mtlcap/mtlcap.hpp>
%}

namespace std {
typedef unsigned long long uint64_t;
}

/* Answers, reports and tables are values: made by the library, read by the caller. */
%immutable;
%nodefaultctor;
%feature("naturalvar", "1");
%rename("$ignore", regextarget=1, fullname=1) "^mtlcap::detail::";
%ignore MTLCAP_ERROR_MAP;
%ignore MTLCAP_ERROR_CASE;
%ignore mtlcap::to_string;

/* close() leaves a scope; a garbage collector does not decide when. */
%ignore mtlcap::Scope::~Scope;

/* Kinds by name, as "family" of MTLCAP_KIND_FAMILY; the languages have a typemap for `int kind`. */
%ignore mtlcap::Value::kind;
%{
static const char *kind_name(int kind) {
    switch (kind) {
    case MTLCAP_KIND_FAMILY:
        return "family";
    case MTLCAP_KIND_COUNT:
        return "count";
    case MTLCAP_KIND_BOOL:
        return "bool";
    case MTLCAP_KIND_SIZE:
        return "size";
    case MTLCAP_KIND_TIER:
        return "tier";
    case MTLCAP_KIND_SIZE3:
        return "size3";
    case MTLCAP_KIND_TEXT:
        return "text";
    default:
        return "unknown";
    }
}
%}

%{
static const std::string &mtlcap_Answer_stock_text_get(mtlcap::Answer *answer) {
    return answer->stock.text;
}
static const std::string &mtlcap_Answer_effective_text_get(mtlcap::Answer *answer) {
    return answer->effective.text;
}
static std::string lines(std::string text, const std::vector<mtlcap::Change> &changes) {
    for (const mtlcap::Change &change : changes)
        text += "\n  " + to_string(change);
    return text;
}
%}
%extend mtlcap::Answer {
    const std::string stock_text;
    const std::string effective_text;
    std::string to_s() {
        return to_string(*$self);
    }
}

/* %said(CLASS, TEXT): for people, of `self`. */
%define %said(CLASS, TEXT)
%extend mtlcap::CLASS {
    std::string to_s() {
        return TEXT;
    }
}
%enddef
%said(Capability, $self->key + ": " + $self->summary)
%said(Change, to_string(*$self))
%said(Check, to_string(*$self))
%said(Device, $self->name + " (" + $self->class_name + ")")
%said(Explanation, $self->error.empty() ? lines("would be applied", $self->rules) : $self->error)
%said(Finding, $self->message)
%said(Hazard, $self->name + ": " + $self->when)
%said(Machine, ($self->chip.empty() ? "unknown chip" : $self->chip) +
                   ($self->os_version.empty() ? "" : ", macOS " + $self->os_version))
%said(Profile, $self->name + ": " + $self->rules)
%said(Report, $self->generation == 0 ? "no profile is in force" : lines($self->profile, $self->changes))

/* The exception of each status: what the language's own are made from. */
%inline %{
struct ErrorRow {
    std::string name; /* "HazardError" */
    std::string code; /* "E_HAZARD" */
    int status;       /* -6 */
};
%}

%list(Changes, mtlcap::Change)
%list(Findings, mtlcap::Finding)
%list(Devices, mtlcap::Device)
%list(Capabilities, mtlcap::Capability)
%list(Profiles, mtlcap::Profile)
%list(Hazards, mtlcap::Hazard)
%list(ErrorRows, ErrorRow)

%include <mtlcap/mtlcap.hpp>

%inline %{
static std::vector<ErrorRow> error_rows() {
#define MTLCAP_ERROR_ROW(status, type) {#type, #status, MTLCAP_##status},
    return {MTLCAP_ERROR_MAP(MTLCAP_ERROR_ROW)};
#undef MTLCAP_ERROR_ROW
}
%}

