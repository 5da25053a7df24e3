/* Java: the classes of the package dev.mtlcap, and their native part. */
%module Mtlcap

%{
#include <mtlcap/mtlcap.hpp>

namespace mtlcap {
struct OrderError : Error {
    explicit OrderError(const mtlcap_error &error) : Error(error) {
    }
};
} // namespace mtlcap

/* Text goes to and fro as UTF-8: JNI's own "modified" one is another for a zero, and for all that is
 * beyond 16 bits. */
static std::string from_java(JNIEnv *env, jbyteArray array) {
    std::string text(static_cast<std::size_t>(env->GetArrayLength(array)), '\0');
    env->GetByteArrayRegion(array, 0, static_cast<jsize>(text.size()),
                            reinterpret_cast<jbyte *>(&text[0]));
    return text;
}

static jbyteArray to_java(JNIEnv *env, const std::string &text) {
    const jsize size = static_cast<jsize>(text.size());
    jbyteArray array = env->NewByteArray(size);
    if (array)
        env->SetByteArrayRegion(array, 0, size, reinterpret_cast<const jbyte *>(text.data()));
    return array;
}

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
    case MTLCAP_OK:
        name = "OrderError";
        copy = new mtlcap::OrderError(static_cast<const mtlcap::OrderError &>(error));
        break;
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

%include <std_string.i>
%typemap(jni) std::string, const std::string & "jbyteArray"
%typemap(jtype) std::string, const std::string & "byte[]"
%typemap(jstype) std::string, const std::string & "String"
%typemap(javain) std::string, const std::string & "Mtlcap.utf8($javainput)"
%typemap(in) const std::string & (std::string text) "text = from_java(jenv, $input); $1 = &text;"
%typemap(out) std::string "$result = to_java(jenv, $1);"
%typemap(out) const std::string & "$result = to_java(jenv, *$1);"
%typemap(javaout) std::string, const std::string & { return Mtlcap.text($jnicall); }

%exception {
    static const bool looks = looks_at_devices("$name");
    Call call(looks);
    try {
        $action
    } catch (const mtlcap::Error &error) {
        tell(jenv, call.messages);
        throw_java(jenv, error);
        return $null;
    }
    tell(jenv, call.messages);
}

%rename("%(lowercamelcase)s", %$isfunction) "";
%rename("%(lowercamelcase)s", %$isvariable) "";
%rename("%(regex:/(.*)Error$/\\1Exception/)s", %$isclass) "";
%rename(MtlcapException) mtlcap::Error;
%rename("toString") to_s;
%typemap(javabase) mtlcap::Error "java.lang.RuntimeException"
%rename("$ignore", %$isconstructor, regextarget = 1) "Error$";
%extend mtlcap::Error {
    std::string getMessage() {
        return $self->what();
    }
}
#pragma SWIG nowarn=401 /* the base of mtlcap::Error is Java's */
%typemap(javaclassmodifiers) ErrorRow "class"
%javamethodmodifiers error_rows "private";
%typemap(javainterfaces) mtlcap::Scope "AutoCloseable"

/* With a word if it is too late. */
%feature("compactdefaultargs") mtlcap::apply;
%feature("compactdefaultargs") mtlcap::Scope::Scope;
%rename(nativeApply) mtlcap::apply;
%javamethodmodifiers mtlcap::apply "private";
%javamethodmodifiers keep_messages "private";
%javamethodmodifiers refuse_late "private";
%javamethodmodifiers why_late "private";
%typemap(javaconstruct) mtlcap::Scope {
    this(profile, allow, Mtlcap.Late.WARN);
  }
%typemap(javacode) mtlcap::Scope %{
  private static long enter(String profile, String allow) {
    return MtlcapJNI.new_Scope(Mtlcap.utf8(profile), Mtlcap.utf8(allow));
  }

  public Scope() {
    this("auto", "");
  }

  public Scope(String profile) {
    this(profile, "");
  }

  /** With what to do if it is too late. */
  public Scope(String profile, String allow, Mtlcap.Late late) {
    this(Mtlcap.isHeeded(profile, allow, late) ? enter(profile, allow) : 0, true);
  }

  public Scope(String profile, Iterable<String> allow) {
    this(profile, Mtlcap.joined(allow));
  }

  public Scope(String profile, Iterable<String> allow, Mtlcap.Late late) {
    this(profile, Mtlcap.joined(allow), late);
  }
%}

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
%asked(Check, met, isMet)
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
    bool same(const mtlcap::Value &other) {
        return $self->kind == other.kind && $self->text == other.text &&
               std::equal($self->number, $self->number + 3, other.number);
    }
}
%javamethodmodifiers mtlcap::Value::same "private";
%typemap(javacode) mtlcap::Value %{
  @Override
  public boolean equals(Object other) {
    return other instanceof Value && same((Value) other);
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
%}

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

  /** What to do if a client has asked Metal already, and answers would change. */
  public enum Late {
    /** A warning, to the logger. */
    WARN,
    /** OrderException, and nothing is applied. */
    ERROR,
    /** Nothing. */
    IGNORE
  }

  private static volatile System.Logger logger;

  /**
   * Sends the library's messages to a logger; null: to standard error, errors and warnings alone. It
   * is called after the call that the messages belong to, on its thread; what it throws goes to the
   * thread's handler of uncaught exceptions. What other threads cause from C goes to standard error.
   */
  public static void setLogger(System.Logger logger) {
    Mtlcap.logger = logger;
    keepMessages(logger != null);
  }

  private static final System.Logger.Level[] LEVELS = {System.Logger.Level.OFF,
      System.Logger.Level.ERROR, System.Logger.Level.WARNING, System.Logger.Level.INFO,
      System.Logger.Level.DEBUG};

  static byte[] utf8(String text) {
    return java.util.Objects.requireNonNull(text, "text is null")
        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  static String text(byte[] utf8) {
    return new String(utf8, java.nio.charset.StandardCharsets.UTF_8);
  }

  private static void tell(int level, byte[] message) {
    tell(level, text(message));
  }

  private static void tell(int level, String message) {
    System.Logger to = logger;
    try {
      if (to != null)
        to.log(LEVELS[level], message);
      else if (level <= 2)
        System.err.println("mtlcap: " + message);
    } catch (Throwable e) {
      Thread thread = Thread.currentThread();
      try {
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      } catch (Throwable ignored) { // as a virtual machine does
      }
    }
  }

  /** Warns, or throws, if it is too late. */
  static boolean isHeeded(String profile, String allow, Late late) {
    java.util.Objects.requireNonNull(profile, "profile is null");
    java.util.Objects.requireNonNull(allow, "allow is null; no consent is an empty text");
    java.util.Objects.requireNonNull(late, "late is null");
    if (late == Late.ERROR) {
      refuseLate(profile, allow);
    } else if (late == Late.WARN) {
      String why = whyLate(profile, allow);
      if (!why.isEmpty())
        tell(2, why);
    }
    return true;
  }

  static String joined(Iterable<String> allow) {
    return String.join(
        "+", java.util.Objects.requireNonNull(allow, "allow is null; no consent is an empty text"));
  }

  /** Applies {@code auto}. */
  public static Report apply() {
    return apply("auto", "");
  }

  /** Applies a profile that meets no hazard. */
  public static Report apply(String profile) {
    return apply(profile, "");
  }

  /**
   * Applies a profile to every Metal device of this process, all of it or nothing. Applying again
   * replaces it.
   *
   * @param allow names of hazards consented to, joined by +
   */
  public static Report apply(String profile, String allow) {
    return apply(profile, allow, Late.WARN);
  }

  /** The same, with what to do if it is too late. */
  public static Report apply(String profile, String allow, Late late) {
    isHeeded(profile, allow, late);
    return nativeApply(profile, allow);
  }

  /** Applies a profile, consenting to hazards by name. */
  public static Report apply(String profile, Iterable<String> allow) {
    return apply(profile, joined(allow));
  }

  /** The same, with what to do if it is too late. */
  public static Report apply(String profile, Iterable<String> allow, Late late) {
    return apply(profile, joined(allow), late);
  }

  /** What a profile would do, with consent to hazards by name. */
  public static Explanation explain(String profile, Iterable<String> allow) {
    return explain(profile, joined(allow));
  }

  /** Asks that device. */
  public static Answer query(String capability, Device device) {
    return query(capability, device.getPointer());
  }

  /** Is the answer of that device as expected? */
  public static Check check(String expectation, Device device) {
    return check(expectation, device.getPointer());
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

%include "calls.i"
%{
/* What is in the way of it, no memory say, is no failure of the call, whose result must not be lost. */
static void tell(JNIEnv *env, const std::vector<Message> &messages) {
    for (const Message &message : messages) {
        jclass cls = env->FindClass("dev/mtlcap/Mtlcap");
        jmethodID method = cls ? env->GetStaticMethodID(cls, "tell", "(I[B)V") : nullptr;
        jbyteArray text = method ? to_java(env, message.text) : nullptr;
        if (text)
            env->CallStaticVoidMethod(cls, method, static_cast<jint>(message.level), text);
        if (env->ExceptionCheck()) {
            env->ExceptionDescribe();
            env->ExceptionClear();
        }
        env->DeleteLocalRef(text);
        env->DeleteLocalRef(cls);
    }
}
%}
%inline %{
static void refuse_late(const std::string &profile, const std::string &allow) {
    const std::string why = why_late(profile, allow);
    mtlcap_error error = MTLCAP_ERROR_INIT;
    why.copy(error.message, sizeof error.message - 1);
    if (!why.empty())
        throw mtlcap::OrderError(error);
}
%}

%include "mtlcap.i"

namespace mtlcap {
struct OrderError : Error {};
}
