/*
 * What the core needs of an Objective-C runtime and of Metal. One file a platform implements it:
 *
 *     apple.c   Apple's runtime, linked.
 *     gcc.c     GCC's runtime, opened at run time if the process has it.
 *
 * The loader's lock is held while a library that is opened runs its constructors, and one of those
 * may wait for an apply. Functions that take it say so: they are not called on a turn, nor with a
 * lock.
 *
 * Objects are opaque here, so that the core compiles the same everywhere. Every function but
 * mtlcap__rt_open() may be called only after that has succeeded once.
 */
#ifndef MTLCAP_RUNTIME_RUNTIME_H
#define MTLCAP_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mtlcap__object *mtlcap__id;
typedef struct mtlcap__class_of_objects *mtlcap__class;
typedef const struct mtlcap__selector *mtlcap__sel;
typedef struct mtlcap__method_of_class *mtlcap__method;

/* A method's implementation. Cast it to the method's signature before calling it. */
typedef void (*mtlcap__imp)(void);

/* Opens the runtime. Returns NULL, or why there is none; cheap once it has succeeded, and takes the
 * loader's lock before. */
const char *mtlcap__rt_open(void);

/* A function of Metal by name: its own, or that of a library that interposes it, unless we are in
 * that library. Loads Metal where the system has it. NULL if there is no Metal. Takes the loader's
 * lock. */
void *mtlcap__rt_metal_function(const char *name);

mtlcap__sel mtlcap__rt_selector(const char *name);

/* The class of that name; NULL if the process has none. */
mtlcap__class mtlcap__rt_class_named(const char *name);

/* The class that answers messages: never [object class], which wrappers and KVO fake. */
mtlcap__class mtlcap__rt_class_of(mtlcap__id object);
mtlcap__class mtlcap__rt_superclass(mtlcap__class cls);
const char *mtlcap__rt_class_name(mtlcap__class cls);

/* The image that defines a class, into `path`. False for a class made at run time, which has none.
 */
bool mtlcap__rt_class_image(mtlcap__class cls, char *path, size_t size);

/* The image that holds some code, into `path`. False if it is in none. */
bool mtlcap__rt_code_image(mtlcap__imp imp, char *path, size_t size);

/* The same, and the function that it is in, as far as the image names it: "" otherwise. Takes the
 * loader's lock. */
bool mtlcap__rt_code_symbol(uintptr_t address, char *image, size_t image_size, char *symbol,
                            size_t symbol_size);

/* Calls visit for every image, the program first: its code is from start to end. Takes the loader's
 * lock, also while it visits. And: a number that is another one if an image was loaded, and one
 * for unloaded, as far as the loader tells. */
void mtlcap__rt_images_each(void (*visit)(uintptr_t start, uintptr_t end, const char *path,
                                          void *data),
                            void *data);
unsigned long mtlcap__rt_images_loaded(void);
unsigned long mtlcap__rt_images_unloaded(void);

/* Does the class or a superclass adopt the protocol? */
bool mtlcap__rt_conforms(mtlcap__class cls, const char *protocol);

/* The method that instances of a class answer with, own or inherited; NULL if there is none. */
mtlcap__method mtlcap__rt_method(mtlcap__class cls, mtlcap__sel selector);

/* The class's own method; NULL if it has none. Runs no code of the class. */
mtlcap__method mtlcap__rt_own_method(mtlcap__class cls, mtlcap__sel selector);

const char *mtlcap__rt_method_types(mtlcap__method method);
mtlcap__imp mtlcap__rt_method_imp(mtlcap__method method);

/* Replaces an implementation in place, and returns the one it had; NULL: refused. */
mtlcap__imp mtlcap__rt_set_imp(mtlcap__method method, mtlcap__imp imp);

/* Adds a method to a class that has no own one of this selector. `types` is copied. */
bool mtlcap__rt_add_method(mtlcap__class cls, mtlcap__sel selector, mtlcap__imp imp,
                           const char *types);

/* What a message to the object would call now. */
mtlcap__imp mtlcap__rt_dispatch(mtlcap__id object, mtlcap__sel selector);

/* What a message to super would call now, from a method of the class below `superclass`. */
mtlcap__imp mtlcap__rt_super_dispatch(mtlcap__id object, mtlcap__class superclass,
                                      mtlcap__sel selector);

/* Objects that are returned autoreleased live until the pool is popped. May be NULL. */
void *mtlcap__rt_pool_push(void);
void mtlcap__rt_pool_pop(void *pool);

/* Could this be an object? Catches NULL, small numbers, misaligned and tagged pointers. */
bool mtlcap__rt_plausible(const void *pointer);

/*
 * The one place in the process where copies of this library meet: a class of that name, with a
 * class method that returns a table. Publishing returns the table that is there now: `table`, or
 * that of a copy that was first; NULL if the runtime refused. Finding returns NULL if there is
 * none.
 */
const void *mtlcap__rt_publish_table(const char *class_name, const void *(*table)(void));
const void *mtlcap__rt_find_table(const char *class_name);

/* The image that contains this library stays loaded from now on. Takes the loader's lock, once. */
void mtlcap__rt_pin(void);

#endif
