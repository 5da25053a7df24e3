/* Functions that stand for Darwin's, where Linux's differ. imports.def says why. */
#ifndef TESTS_MACHO_SHIMS_H
#define TESTS_MACHO_SHIMS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Error numbers between the two systems, for those that have a name on both. */
int shim_errno_to_darwin(int number);
int shim_errno_to_linux(int number);
/* After a call of Linux's that returned `result`: errno, if it failed, becomes Darwin's. */
long shim_result(long result);

/* shims.c */
void shim_stub_binder(void);
extern uintptr_t shim_stack_guard;
int *shim_error(void);
char *shim_strerror(int number);
void (*shim_signal(int number, void (*handler)(int)))(int);
int shim_sigpending(uint32_t *set);
int shim_sigwait(const uint32_t *set, int *number);
int shim_sigmask(int how, const uint32_t *set, uint32_t *before);
int shim_clock_gettime(unsigned clock, struct timespec *time);
int shim_getrlimit(int resource, uint64_t limits[2]);
struct darwin_names;
int shim_uname(struct darwin_names *names);
int shim_nanosleep(const struct timespec *time, struct timespec *left);
char ***shim_environ(void);
int shim_executable_path(char *path, uint32_t *size);
int shim_issetugid(void);
int shim_sysctl(int *name, unsigned count, void *old, size_t *old_size, void *new, size_t new_size);
int shim_sysctlbyname(const char *name, void *old, size_t *old_size, void *new, size_t new_size);

/* shims_text.c: Darwin's table of kinds of characters, and the function behind it. */
struct darwin_characters;
const struct darwin_characters *shim_characters(void);
int shim_mask_character(int character, unsigned long mask);

/* shims_files.c */
struct darwin_stat;
int shim_open(const char *path, int wanted, ...);
int shim_fcntl(int descriptor, int command, ...);
int shim_close(int descriptor);
ssize_t shim_read(int descriptor, void *buffer, size_t size);
ssize_t shim_write(int descriptor, const void *buffer, size_t size);
struct pollfd;
int shim_access(const char *path, int mode);
char *shim_mkdtemp(char *path);
int shim_mkstemp(char *path);
int shim_pipe(int ends[2]);
int shim_poll(struct pollfd *descriptors, unsigned count, int milliseconds);
char *shim_realpath(const char *path, char *result);
int shim_rmdir(const char *path);
int shim_unlinkat(int folder, const char *path, int flags);
int shim_fchmod(int descriptor, unsigned mode);
char *shim_getcwd(char *path, size_t size);
int shim_lstat(const char *path, struct darwin_stat *status);
int shim_mkostemp(char *path, int flags);
void *shim_mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t at);
int shim_rename(const char *from, const char *to);
int shim_link(const char *from, const char *to);
int shim_flock(int descriptor, int operation);
int shim_unlink(const char *path);
int shim_stat(const char *path, struct darwin_stat *status);
int shim_isatty(int descriptor);
int shim_fstat(int descriptor, struct darwin_stat *status);

/* shims_threads.c */
struct darwin_mutex;
struct darwin_condition;
struct darwin_once;
int shim_mutex_lock(struct darwin_mutex *mutex);
int shim_mutex_unlock(struct darwin_mutex *mutex);
int shim_cond_signal(struct darwin_condition *condition);
int shim_cond_timedwait(struct darwin_condition *condition, struct darwin_mutex *mutex,
                        const struct timespec *until);
int shim_once(struct darwin_once *once, void (*function)(void));
int shim_setcancelstate(int state, int *old_state);

/* shims_dyld.c */
uint32_t shim_image_count(void);
const char *shim_image_name(uint32_t index);
const void *shim_image_header(uint32_t index);
int shim_dladdr(const void *address, void *info);
int shim_dlclose(void *handle);
void *shim_dlopen(const char *path, int mode);
void *shim_dlsym(void *handle, const char *name);

/* shims_objc.c: objects, classes, methods and selectors are opaque. */
int shim_class_add_method(void *cls, const void *selector, void *imp, const char *types);
int shim_class_conforms(void *cls, void *protocol);
const char *shim_class_image_name(void *cls);
const void *shim_method_name(void *method);
void *shim_object_class(void *object);
void *shim_pool_push(void);
void shim_pool_pop(void *pool);

/* shims_variadic.c: entry points only, in assembly. */
void shim_fprintf(void);
void shim_printf(void);
void shim_snprintf(void);
void shim_sprintf(void);
void shim_vprintf(void);
void shim_vsnprintf(void);

/* imports.c: a name of the program or, if that has it not, of a library. */
void *macho_linux_symbol(const char *library, const char *name);

/* The library of Linux that stands for one of Darwin; NULL: none. */
const char *macho_linux_library(const char *path);

/* insert.c, where it is linked: a function of Metal's for the Mach-O images; NULL: no Metal. */
__attribute__((weak)) void *macho_metal(const char *name);

/* Has no prototype in Linux's headers. */
void *__memmove_chk(void *target, const void *source, size_t size, size_t room);
void *__memcpy_chk(void *target, const void *source, size_t size, size_t room);
void __stack_chk_fail(void);

#endif
