/* Java: the classes of the package dev.mtlcap, and their native part. */
%module Mtlcap

%{
#include <mtlcap/mtlcap.hpp>

/* Throws the class that SWIG makes of the C++ one: HazardException of HazardError. */
static void throw_java(JNIEnv *env, const mtlcap::Error &error) {
    std::string name = "MtlcapError";
    mtlcap::Error *copy = nullptr;
    switch (error.status) {
#define MTLCAP_COPY(status, type)                                                                  \
    case MTLCAP_##status:                                                                          \
        name = #type;                                                                              \
        copy = new mtlcap::type(static_cast<const mtlcap::type &>(error));                         \
        break;
        MTLCAP_ERROR_MAP(MTLCAP_COPY)
#undef MTLCAP_COPY
    default:
        copy = new mtlcap::Error(error);
    }
    name.replace(name.size() - 5, 5, "Exception");
    jclass cls = env->FindClass(("dev/mtlcap/" + name).c_str());
    jmethodID constructor = cls ? env->GetMethodID(cls, "<init>", "(JZ)V") : nullptr;
    if (constructor)
        env->Throw(static_cast<jthrowable>(env->NewObject(
            cls, constructor, reinterpret_cast<jlong>(copy), static_cast<jboolean>(true))));
}
%}

%exception {
    try {
        $action
    } catch (const mtlcap::Error &error) {
        throw_java(jenv, error);
        return $null;
    }
}

%rename("%(lowercamelcase)s", %$isfunction) "";
%rename("%(lowercamelcase)s", %$isvariable) "";
%rename("%(regex:/(.*)Error$/\\1Exception/)s", %$isclass) "";
%rename(MtlcapException) mtlcap::Error;
%rename("toString") to_s;
%typemap(javabase) mtlcap::Error "java.lang.RuntimeException"
%rename("$ignore", %$isconstructor, regextarget = 1) "Error$";
%extend mtlcap::Error {
    const char *getMessage() {
        return $self->what();
    }
}
#pragma SWIG nowarn=401 /* the base of mtlcap::Error is Java's */
%typemap(javaclassmodifiers) ErrorRow "class"
%javamethodmodifiers error_rows "private";
%typemap(javainterfaces) mtlcap::Scope "AutoCloseable"

/* Yes or no, as Java asks. */
%define %asked(CLASS, MEMBER, METHOD)
%ignore mtlcap::CLASS::MEMBER;
%extend mtlcap::CLASS {
    bool METHOD() {
        return $self->MEMBER;
    }
}
%enddef
%asked(Answer, stock_known, isStockKnown)
%asked(Answer, overridden, isOverridden)
%asked(Answer, derived, isDerived)
%asked(Capability, can_lower, canLower)
%asked(Capability, can_raise, canRaise)
%asked(Change, derived, isDerived)
%asked(Device, paravirtual, isParavirtual)
%asked(Device, adopted, isAdopted)
%asked(Finding, refuses, isRefusing)
%asked(Finding, allowed, isAllowed)
%asked(Hazard, refuses, isRefusing)
%asked(Machine, simulated, isSimulated)

/* Only the collector deletes: what it has deleted nobody holds. */
%typemap(javadestruct, methodname = "delete", methodmodifiers = "synchronized") SWIGTYPE {
    if (swigCPtr != 0) {
      if (swigCMemOwn) {
        swigCMemOwn = false;
        $jnicall;
      }
      swigCPtr = 0;
    }
  }

/* Sizes and generations fit a long. */
%apply long long { unsigned long long };
%apply int { unsigned int };

%typemap(jni) int kind "jstring"
%typemap(jtype) int kind "String"
%typemap(jstype) int kind "String"
%typemap(out) int kind "$result = jenv->NewStringUTF(kind_name($1));"
%typemap(javaout) int kind { return $jnicall; }

%typemap(jni) std::optional<bool> "jint"
%typemap(jtype) std::optional<bool> "int"
%typemap(jstype) std::optional<bool> "Boolean"
%typemap(out) std::optional<bool> "$result = $1 ? *$1 : -1;"
%typemap(javaout) std::optional<bool> {
    int known = $jnicall;
    return known < 0 ? null : Boolean.valueOf(known != 0);
  }

/* A value that is not known is null; otherwise a copy. */
%typemap(out) mtlcap::Value *, const mtlcap::Value &
    "*reinterpret_cast<mtlcap::Value **>(&$result) = $1->kind ? new mtlcap::Value(*$1) : nullptr;"
%typemap(javaout) mtlcap::Value *, const mtlcap::Value & {
    long pointer = $jnicall;
    return pointer == 0 ? null : new $javaclassname(pointer, true);
  }
%ignore mtlcap::Value::number;
%extend mtlcap::Value {
    unsigned long long getNumber() {
        return $self->number[0];
    }
    unsigned long long getNumber(int dimension) {
        return dimension < 0 || dimension > 2 ? 0 : $self->number[dimension];
    }
    bool isYes() {
        return $self->number[0] != 0;
    }
    std::string to_s() {
        return $self->text;
    }
}

/* Lists are java.util.List of copies. */
%define %list(NAME, TYPE)
%{
static jlongArray to_java(JNIEnv *env, const std::vector<TYPE> &rows) {
    jlongArray array = env->NewLongArray(static_cast<jsize>(rows.size()));
    for (std::size_t i = 0; array && i < rows.size(); i++) {
        const jlong copy = reinterpret_cast<jlong>(new TYPE(rows[i]));
        env->SetLongArrayRegion(array, static_cast<jsize>(i), 1, &copy);
    }
    return array;
}
%}
%typemap(jni) std::vector<TYPE>, std::vector<TYPE> *, const std::vector<TYPE> & "jlongArray"
%typemap(jtype) std::vector<TYPE>, std::vector<TYPE> *, const std::vector<TYPE> & "long[]"
%typemap(jstype) std::vector<TYPE>, std::vector<TYPE> *, const std::vector<TYPE> &
    "java.util.List<$typemap(jstype, TYPE)>"
%typemap(out) std::vector<TYPE>
    "$result = to_java(jenv, static_cast<const std::vector<TYPE> &>($1));"
%typemap(out) std::vector<TYPE> *, const std::vector<TYPE> & "$result = to_java(jenv, *$1);"
%typemap(javaout) std::vector<TYPE>, std::vector<TYPE> *, const std::vector<TYPE> & {
    java.util.ArrayList<$typemap(jstype, TYPE)> list = new java.util.ArrayList<>();
    for (long pointer : $jnicall)
      list.add(new $typemap(jstype, TYPE)(pointer, true));
    return java.util.Collections.unmodifiableList(list);
  }
%enddef

/* Devices are addresses. */
%typemap(jni) void *device, void *pointer "jlong"
%typemap(jtype) void *device, void *pointer "long"
%typemap(jstype) void *device, void *pointer "long"
%typemap(javain) void *device "$javainput"
%typemap(in) void *device "$1 = reinterpret_cast<void *>($input);"
%typemap(out) void *device, void *pointer "$result = reinterpret_cast<jlong>($1);"
%typemap(javaout) void *device, void *pointer { return $jnicall; }

%pragma(java) jniclasscode=%{
  static {
    System.loadLibrary("mtlcapjni");
  }
%}
%pragma(java) modulecode=%{
  private Mtlcap() {}

  /** Asks that device. */
  public static Answer query(String capability, Device device) {
    return query(capability, device.getPointer());
  }

  /** The statuses of the C library by name. */
  public static final java.util.Map<String, Integer> STATUSES = statuses();

  private static java.util.Map<String, Integer> statuses() {
    java.util.Map<String, Integer> map = new java.util.LinkedHashMap<>();
    map.put("OK", 0);
    for (ErrorRow row : errorRows())
      map.put(row.getCode(), row.getStatus());
    return java.util.Collections.unmodifiableMap(map);
  }
%}

%include "mtlcap.i"
