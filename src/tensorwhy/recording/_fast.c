/* The hot path of recording, compiled: see FastPath in adapters/tensorflow/hooks/fast_path.py, which does the same in Python
   and is used where this was not built. Whatever is not plain (eager tensors, Python numbers and lists of them) is left to
   Python: to `general` for an operation, to `after` of a Hook for what else happens often.

   Why it is in C: in Python, most of the time goes into the walk over the frames and into an object for each number. Here
   a frame costs a look into a cache, and a row is numbers on the C stack that one `memcpy` moves. So that the two never
   differ, nothing is decided here: a function returns 1 when it is done, 0 when the case is one for Python, and -1 when an
   exception is set. A 0 has written nothing, so that Python can begin from the start.

   What looks odd, and why: caches are arrays indexed by a hash, without chains, because a miss only costs the slow way.
   Code objects in them are kept alive, since keys hold their addresses, and a new one must never get an old address.
   Tensors are never kept alive: a remembered address is only compared, once a weak reference has confirmed it. The
   attributes `active` and `on` are read at their slots' offsets, because `getattr` for each operation would cost more than
   the row. A row is complete before `append` copies it, and `settle` is called after that: no other thread and no
   finalizer can write in the middle of one. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>
#include <structmember.h>
#include <stddef.h>

#define ROOM 16384   /* numbers in the list before `settle` is called */
#define WIDEST 256   /* numbers in a row that is written here */
#define CODES 2048   /* size of the caches of code objects and of places; a power of two */
#define TENSORS 1024 /* size of the cache of what traced functions are given; a power of two */
enum { IN_SHIFT = 28, OUT_SHIFT = 12, THREAD_SHIFT = 4, USER = 1, MODULE = 2, PYTHON = -1 };
enum { EXECUTED, MARKED, ACCESSED, ENTERED, EXITED, CALLED, GATED, AROUND, TOLD, WITHIN }; /* kinds of hooks */

/* Rows that were written lately: what `Recent` in journal.py is, without an object for each number. */
typedef struct {
    PyObject_HEAD
    long long *numbers;
    Py_ssize_t count, size;
} Recent;

typedef struct {
    PyObject_HEAD
    /* what was given, in the order of the keywords of the constructor */
    PyObject *recorder, *keeper, *general, *known, *files, *within, *place_index, *threads, *recent, *settle, *tensor,
        *unwritten;
    PyObject *original, *id, *datatype; /* the last two: descriptors of `_id` and `_datatype_enum` of the type `tensor` */
    PyObject *codes[CODES]; /* strong references: a pointer in a key is never that of another code object later */
    char verdicts[CODES];
    unsigned long long keys[CODES]; /* of the places that follow; 0: none */
    long long places[CODES];
    PyObject *seen[TENSORS], *references[TENSORS]; /* see `given_id`; the first are addresses, and never followed */
    long long ids[TENSORS];
    unsigned long silent; /* the thread that is in a call of a function that is `unwritten`; 0: none */
    unsigned long ident;  /* the thread that wrote last, and its number; -1: unknown */
    long long thread;
    Py_ssize_t active, on, calls; /* where the recorder and the keeper hold these: slots, since they are read all the time */
} FastPath;

/* Around a function that is called often, but not for each operation. `headers` are what begins a row: of the function's
   name when it is EXECUTED, of the type of the value when it ENTERED or EXITED; of those that are ACCESSED it holds the
   handles that are known. `header` begins the row of the others. What EXITED has in `headers` of code, too, by its id:
   whether it is a library's that asks for a value, or only passes it on. CALLED and GATED write no row, and stand in
   classes, as methods: see adapters/tensorflow/hooks/calls.py, from where their lists come. AROUND, TOLD and WITHIN
   write none either: see around.py. The `headers` of AROUND are what is called before, of TOLD the type that nothing is
   told of, of WITHIN what has the list of those that are called. The last four have no path. */
typedef struct {
    PyObject_HEAD
    FastPath *path;
    PyObject *original, *after, *headers, *attributes, *weak;
    vectorcallfunc vectorcall; /* of those that stand around functions of Python; NULL for others */
    long long header;
    int kind;
} Hook;

static PyObject *s_id, *s_datatype, *s_lasti, *s_module, *s_handle, *s_running;

/* Whether code lies in one of the user's files; -1 on error. The dict fills itself. */
static int is_users(PyObject *files, PyObject *code) {
    PyObject *file = ((PyCodeObject *)code)->co_filename, *known = PyDict_GetItemWithError(files, file);
    PyObject *owned = known ? Py_NewRef(known) : PyErr_Occurred() ? NULL : PyObject_GetItem(files, file);
    int found = owned ? PyObject_IsTrue(owned) : -1;
    Py_XDECREF(owned);
    return found;
}

/* Whether code is the user's, and of a module; -1 on error. */
static int verdict_of(FastPath *self, PyObject *code) {
    size_t slot = ((size_t)code >> 4) * 0x9E3779B97F4A7C15ull >> 40 & (CODES - 1);
    if (self->codes[slot] == code) return self->verdicts[slot];
    int verdict = is_users(self->files, code);
    if (verdict > 0 && PyObject_RichCompareBool(((PyCodeObject *)code)->co_name, s_module, Py_EQ) == 1) verdict |= MODULE;
    if (verdict >= 0) {
        PyObject *before = self->codes[slot];
        self->codes[slot] = Py_NewRef(code);
        self->verdicts[slot] = (char)verdict;
        Py_XDECREF(before);
    }
    return verdict;
}

static long lasti_of(PyFrameObject *frame) {
#if PY_VERSION_HEX >= 0x030B0000
    return PyFrame_GetLasti(frame);
#else
    PyObject *value = PyObject_GetAttr((PyObject *)frame, s_lasti);
    long lasti = value ? PyLong_AsLong(value) : -1;
    Py_XDECREF(value);
    return lasti;
#endif
}

/* The key of the stack from `frame` (stolen) outwards; *innermost is a new reference, or NULL when it has no user frame. */
static int key_of(FastPath *self, PyFrameObject *frame, unsigned long long *key, PyFrameObject **innermost) {
    *key = 0;
    *innermost = NULL;
    while (frame != NULL) {
        PyObject *code = (PyObject *)PyFrame_GetCode(frame);
        int verdict = verdict_of(self, code);
        Py_DECREF(code);
        if (verdict < 0) { Py_DECREF(frame); Py_CLEAR(*innermost); return -1; }
        if (verdict & USER) {
            unsigned long long mixed = *key ^ (unsigned long long)(size_t)code;
            mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93ull + (unsigned long long)lasti_of(frame);
            *key = (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9ull;
            if (*innermost == NULL) *innermost = (PyFrameObject *)Py_NewRef((PyObject *)frame);
        }
        PyFrameObject *back = verdict & MODULE ? NULL : PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    if (!PyErr_Occurred()) return 0;
    Py_CLEAR(*innermost);
    return -1;
}

/* 1: an integer was found in the dict; 0: not there; -1: error. */
static int look_up(PyObject *dict, PyObject *key, long long *value) {
    PyObject *found = PyDict_GetItemWithError(dict, key);
    if (found != NULL) *value = PyLong_AsLongLong(found);
    return PyErr_Occurred() ? -1 : found != NULL;
}

static int look_up_number(PyObject *dict, unsigned long long key, long long *value) {
    PyObject *number = PyLong_FromUnsignedLongLong(key);
    int found = number ? look_up(dict, number, value) : -1;
    Py_XDECREF(number);
    return found;
}

static int number_of(PyObject *object, long long *value) {
    *value = object ? PyLong_AsLongLong(object) : -1;
    Py_XDECREF(object);
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

/* The offset of a slot; -1 on error. */
static Py_ssize_t slot_of(PyObject *object, const char *name) {
    PyObject *found = PyObject_GetAttrString((PyObject *)Py_TYPE(object), name);
    Py_ssize_t offset = found && Py_IS_TYPE(found, &PyMemberDescr_Type) ? ((PyMemberDescrObject *)found)->d_member->offset : -1;
    Py_XDECREF(found);
    if (offset < 0) PyErr_Format(PyExc_TypeError, "`%s` has to be a slot of %R", name, Py_TYPE(object));
    return offset;
}

static int is_true(PyObject *object, Py_ssize_t slot) {
    PyObject *value = *(PyObject **)((char *)object + slot);
    return value == Py_True || (value != Py_False && value != NULL && PyObject_IsTrue(value) > 0);
}

/* The id of an eager tensor; -1 on error. The type has a `__getattr__`, so that looking it up each time is dear. */
static int id_of(FastPath *self, PyObject *tensor, long long *value) {
    descrgetfunc get = Py_TYPE(self->id)->tp_descr_get;
    return number_of(get ? get(self->id, tensor, self->tensor) : PyObject_GetAttr(tensor, s_id), value);
}

/* The object of a weak reference, or NULL: to be compared only. */
static PyObject *referred(PyObject *reference) {
#if PY_VERSION_HEX >= 0x030D0000
    PyObject *object = NULL;
    if (PyWeakref_GetRef(reference, &object) < 0) PyErr_Clear();
    Py_XDECREF(object);
    return object;
#else
    return PyWeakref_GET_OBJECT(reference);
#endif
}

/* The same for what a traced function is given: mostly the handles of variables, dozens of them, the same each time. From
   the second time on a tensor is known by a weak reference: by its address alone it could be another one. -1 on error. */
static int given_id(FastPath *self, PyObject *tensor, long long *value) {
    size_t slot = ((size_t)tensor >> 4) * 0x9E3779B97F4A7C15ull >> 40 & (TENSORS - 1);
    PyObject *known = self->references[slot];
    if (known != NULL && referred(known) == tensor) {
        *value = self->ids[slot];
        return 0;
    }
    if (id_of(self, tensor, value) < 0) return -1;
    known = self->seen[slot] == tensor ? PyWeakref_NewRef(tensor, NULL) : NULL;
    PyErr_Clear();
    self->seen[slot] = tensor;
    self->ids[slot] = *value;
    Py_XSETREF(self->references[slot], known);
    return 0;
}

/* Append the number of an input, or those of a list of inputs. 1: done; 0: one for `general`; -1: error. */
static int input(FastPath *self, PyObject *value, long long *row, Py_ssize_t *count) {
    PyTypeObject *type = Py_TYPE(value);
    int done = 1;
    if (*count >= WIDEST) return 0;
    if ((PyObject *)type == self->tensor) return id_of(self, value, &row[(*count)++]) < 0 ? -1 : 1;
    if (type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyUnicode_Type) {
        row[(*count)++] = PYTHON;
        return 1;
    }
    if (type != &PyList_Type && type != &PyTuple_Type) return 0;
    for (Py_ssize_t i = 0; done > 0 && i < PySequence_Fast_GET_SIZE(value); i++)
        done = input(self, PySequence_Fast_GET_ITEM(value, i), row, count);
    return done;
}

/* The same for an output, or a list of outputs; they carry their dtype. */
static int output(FastPath *self, PyObject *value, long long *row, Py_ssize_t *count) {
    PyTypeObject *type = Py_TYPE(value);
    long long dtype;
    int done = 1;
    if (*count >= WIDEST) return 0;
    if ((PyObject *)type == self->tensor) {
        if (id_of(self, value, &row[*count]) < 0) return -1;
        if (number_of(PyObject_CallOneArg(self->datatype, value), &dtype) < 0) return -1;
        row[*count] = row[*count] << 8 | (dtype & 0xFF);
        (*count)++;
        return 1;
    }
    if (type != &PyList_Type && type != &PyTuple_Type) return value == Py_None;
    for (Py_ssize_t i = 0; done > 0 && i < PySequence_Fast_GET_SIZE(value); i++)
        done = output(self, PySequence_Fast_GET_ITEM(value, i), row, count);
    return done;
}

/* The header with these counts and the number of this thread. 1: done; 0: a thread that was not met; -1: error. */
static int begin(FastPath *self, long long header, Py_ssize_t inputs, Py_ssize_t outputs, long long *row) {
    unsigned long ident = PyThread_get_thread_ident();
    if (ident != self->ident || self->thread < 0) {
        self->ident = ident;
        self->thread = -1;
        int found = look_up_number(self->threads, ident, &self->thread);
        if (found != 1) return found;
    }
    header &= ~(0xFFFFll << IN_SHIFT | 0xFFFFll << OUT_SHIFT);
    row[0] = header | (long long)inputs << IN_SHIFT | (long long)outputs << OUT_SHIFT | self->thread << THREAD_SHIFT;
    return 1;
}

/* The place of this thread. 1: done; 0: a new one; -1: error. */
static int place(FastPath *self, long long *row) {
    int found = PyDict_GET_SIZE(self->within) ? look_up_number(self->within, PyThread_get_thread_ident(), &row[1]) : 0;
    if (found != 0) return found;
    unsigned long long key;
    PyFrameObject *innermost;
    if (key_of(self, PyThreadState_GetFrame(PyThreadState_Get()), &key, &innermost) < 0) return -1;
    row[1] = -1;
    if (innermost == NULL) return 1;
    Py_DECREF(innermost);
    size_t slot = (key ^ key >> 32) & (CODES - 1);
    if (key != 0 && self->keys[slot] == key) {
        row[1] = self->places[slot];
        return 1;
    }
    if ((found = look_up_number(self->place_index, key, &row[1])) == 1) {
        self->keys[slot] = key;
        self->places[slot] = row[1];
    }
    return found;
}

/* Room for so many numbers more; -1 on error. */
static int make_room(Recent *recent, Py_ssize_t count) {
    if (recent->count + count <= recent->size) return 0;
    Py_ssize_t size = recent->size * 2 + count;
    long long *numbers = PyMem_Realloc(recent->numbers, (size_t)size * sizeof *numbers);
    if (numbers == NULL) { PyErr_NoMemory(); return -1; }
    recent->numbers = numbers;
    recent->size = size;
    return 0;
}

/* Append a row. 1: done; -1: error. No other thread, and nothing that Python runs by itself, comes in between. */
static int append(FastPath *self, const long long *row, Py_ssize_t count) {
    Recent *recent = (Recent *)self->recent;
    if (make_room(recent, count) < 0) return -1;
    memcpy(recent->numbers + recent->count, row, (size_t)count * sizeof *row);
    recent->count += count;
    if (recent->count > ROOM) {
        PyObject *settled = PyObject_CallNoArgs(self->settle);
        if (settled == NULL) return -1;
        Py_DECREF(settled);
    }
    return 1;
}

/* 1: the operation was written; 0: it is one for `general`; -1: error. */
static int record(FastPath *self, PyObject *args, PyObject *result) {
    long long row[WIDEST], header;
    int found;
    if (is_true(self->keeper, self->on) || PyTuple_GET_SIZE(args) < 3) return 0;
    if ((found = look_up(self->known, PyTuple_GET_ITEM(args, 1), &header)) != 1) return found;
    Py_ssize_t given = header >> IN_SHIFT & 0xFFFF, count = 2;
    if (PyTuple_GET_SIZE(args) < 3 + given) return 0;
    for (Py_ssize_t i = 0; i < given; i++)
        if ((found = input(self, PyTuple_GET_ITEM(args, 3 + i), row, &count)) != 1) return found;
    Py_ssize_t inputs = count - 2;
    if ((found = output(self, result, row, &count)) != 1) return found;
    if ((found = begin(self, header, inputs, count - 2 - inputs, row)) != 1) return found;
    if ((found = place(self, row)) != 1) return found;
    return append(self, row, count);
}

/* Whether the innermost frame that does not only pass a value on is known to be a library's; -1 on error. */
static int is_asked_by_library(PyObject *known) {
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    long long asks = 0;
    int found = 0;
    while (frame != NULL) {
        PyObject *code = (PyObject *)PyFrame_GetCode(frame);
        PyObject *key = PyLong_FromVoidPtr(code); /* what code is equal to takes long to find out */
        found = key ? look_up(known, key, &asks) : -1;
        Py_XDECREF(key);
        Py_DECREF(code);
        PyFrameObject *back = found == 1 && !asks ? PyFrame_GetBack(frame) : NULL;
        Py_DECREF(frame);
        frame = back;
    }
    return found == 1 ? asks != 0 : found;
}

/* The same for what a hook is around; 0: it is one for `after`. */
static int note(Hook *hook, PyObject *args, PyObject *result) {
    FastPath *self = hook->path;
    long long row[WIDEST], header = hook->header;
    Py_ssize_t given = PyTuple_GET_SIZE(args), count = 2, inputs;
    PyObject *first = given ? PyTuple_GET_ITEM(args, 0) : NULL;
    int found;
    row[1] = -1;
    if (hook->kind == MARKED) return (found = begin(self, header, 0, 0, row)) == 1 ? append(self, row, 2) : found;
    if (first == NULL) return 0;
    if (hook->kind == ACCESSED) {
        PyObject *handle = PyObject_GetAttr(first, s_handle), *number;
        if (handle == NULL) return -1;
        found = (PyObject *)Py_TYPE(handle) == self->tensor;
        if (found && id_of(self, handle, &row[2]) < 0) found = -1;
        Py_DECREF(handle);
        if (found != 1) return found;
        number = PyLong_FromLongLong(row[2]);
        found = number ? PyDict_Contains(hook->headers, number) : -1;
        Py_XDECREF(number);
        if (found == 1) found = begin(self, header, 1, 0, row);
        return found == 1 ? append(self, row, 3) : found;
    }
    if (hook->kind == ENTERED) {
        if (first == result || (PyObject *)Py_TYPE(result) != self->tensor) return 0;
        if ((found = look_up(hook->headers, (PyObject *)Py_TYPE(first), &header)) != 1) return found;
        if ((found = output(self, result, row, &count)) == 1) found = begin(self, header, 0, 1, row);
        if (found == 1 && (PyTypeObject *)Py_TYPE(first) != &PyLong_Type && !PyBool_Check(first) && !PyUnicode_Check(first))
            found = place(self, row); /* the line of what counts or names something is not kept */
        return found == 1 ? append(self, row, count) : found;
    }
    if (hook->kind == EXITED) {
        if ((PyObject *)Py_TYPE(first) != self->tensor) return 0;
        if ((found = look_up(hook->headers, (PyObject *)Py_TYPE(result), &header)) != 1) return found;
        if ((found = is_asked_by_library(hook->headers)) != 1) return found;
        if (id_of(self, first, &row[2]) < 0 || (found = begin(self, header, 1, 0, row)) < 0) return -1;
        if (found == 1) found = place(self, row);
        return found == 1 ? append(self, row, 3) : found;
    }
    if (given < 4) return 0;
    if ((found = look_up(hook->headers, PyTuple_GET_ITEM(args, 2), &header)) != 1) return found;
    int function = header >> IN_SHIFT & 1;
    if (is_true(self->keeper, self->on) && (!function || is_true(self->keeper, self->calls))) return 0;
    PyObject *all = PyTuple_GET_ITEM(args, 3);
    if (!PyList_Check(all)) return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(all); i++) {
        PyObject *each = PyList_GET_ITEM(all, i);
        if ((PyObject *)Py_TYPE(each) == self->tensor && count < WIDEST) found = given_id(self, each, &row[count++]) + 1;
        else found = input(self, each, row, &count);
        if (found != 1) return found < 0 ? -1 : found;
    }
    inputs = count - 2;
    if ((found = output(self, result, row, &count)) != 1) return found;
    if ((found = begin(self, header, inputs, count - 2 - inputs, row)) != 1) return found;
    return (found = place(self, row)) == 1 ? append(self, row, count) : found;
}

/* Whether the exception that is set, if any, is none of the program's: an interrupt may come at any time, and is. */
static int ours(void) {
    int failed = !PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_Exception);
    if (failed) PyErr_Clear();
    return failed;
}

/* What is not plain goes on in Python, which catches what fails in it, and tells of it. -1: interrupted. */
static int go_on(Hook *hook, PyObject *result, PyObject *const *args, Py_ssize_t given, PyObject *names,
                 PyObject *kwargs) {
    Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    PyObject **all = PyMem_Malloc((size_t)(given + named + 1) * sizeof *all), *done = NULL;
    if (all != NULL) {
        all[0] = result;
        memcpy(all + 1, args, (size_t)(given + named) * sizeof *all);
        if (names != NULL) done = PyObject_Vectorcall(hook->after, all, (size_t)given + 1, names);
        else done = PyObject_VectorcallDict(hook->after, all, (size_t)given + 1, kwargs);
    }
    PyMem_Free(all);
    Py_XDECREF(done);
    return done != NULL || ours() ? 0 : -1;
}

/* How many calls of its grant an object has left: see adapters/tensorflow/call_budgets.py, whose slots these are. */
static long long calls_left(PyObject *slots, PyObject *called, Py_ssize_t *found) {
    for (Py_ssize_t at = 0; at + 1 < PyList_GET_SIZE(slots); at += 2) {
        if (PyLong_AsVoidPtr(PyList_GET_ITEM(slots, at)) != (void *)called) continue;
        if (found != NULL) *found = at + 1;
        return PyLong_AsLongLong(PyList_GET_ITEM(slots, at + 1));
    }
    return 0;
}

/* Whether this call is one of those that are only counted. */
static int only_counted(PyObject *slots, PyObject *called) {
    Py_ssize_t at;
    long long left = calls_left(slots, called, &at);
    PyObject *less = left > 0 ? PyLong_FromLongLong(left - 1) : NULL;
    return less != NULL && PyList_SetItem(slots, at, less) == 0;
}

static int is_active(Hook *hook) { return is_true(hook->path->recorder, hook->path->active); }

/* Whether this thread is in a call that is not written. Whoever empties the set ends that at once. */
static int is_silent(FastPath *self) {
    return self->silent != 0 && self->silent == PyThread_get_thread_ident() && PySet_GET_SIZE(self->unwritten) > 0;
}

/* A call of a traced function that is within no other one. */
static PyObject *hook_called(Hook *hook, PyObject *const *args, size_t given, PyObject *names) {
    PyObject *running = PyTuple_GET_ITEM(hook->headers, 0), *slots = PyTuple_GET_ITEM(hook->headers, 1);
    PyObject *result, *type, *value, *traceback, *owner = NULL, *unwritten = hook->path->unwritten;
    if (PyVectorcall_NARGS(given) > 0 && PyList_GET_SIZE(running) == 0 && is_active(hook))
        owner = PyLong_FromVoidPtr(args[0]);
    if (owner == NULL || PyList_Append(running, owner) < 0) {
        PyErr_Clear();
        Py_XDECREF(owner);
        return PyObject_Vectorcall(hook->original, args, given, names);
    }
    PyObject *function = Py_NewRef(args[0]);
    if (PySet_GET_SIZE(unwritten) > 0 && PySet_Contains(unwritten, owner) == 1 && calls_left(slots, function, NULL) > 0)
        hook->path->silent = PyThread_get_thread_ident();
    PyErr_Clear();
    Py_DECREF(owner);
    result = PyObject_Vectorcall(hook->original, args, given, names);
    PyErr_Fetch(&type, &value, &traceback);
    hook->path->silent = 0;
    if (PyList_SetSlice(running, 0, PyList_GET_SIZE(running), NULL) < 0) PyErr_Clear();
    int told = result == NULL || !is_active(hook) || only_counted(slots, function);
    PyErr_Clear();
    if (!told && go_on(hook, result, args, PyVectorcall_NARGS(given), names, NULL) < 0) Py_CLEAR(result);
    else PyErr_Restore(type, value, traceback);
    Py_DECREF(function);
    return result;
}

/* A call that `after` is told of before it begins, unless it is only counted. */
static PyObject *hook_gated(Hook *hook, PyObject *const *args, size_t given, PyObject *names) {
    if (PyVectorcall_NARGS(given) > 0 && !only_counted(hook->headers, args[0])) {
        PyErr_Clear();
        PyObject *told = PyObject_CallOneArg(hook->after, args[0]);
        if (told == NULL && !ours()) return NULL;
        Py_XDECREF(told);
    }
    PyErr_Clear();
    return PyObject_Vectorcall(hook->original, args, given, names);
}

/* A call that `after` is told of when it has given something, unless its first argument is of a type. */
static PyObject *hook_told(Hook *hook, PyObject *const *args, size_t given, PyObject *names) {
    int wanted = PyVectorcall_NARGS(given) == 0 || (PyObject *)Py_TYPE(args[0]) != hook->headers;
    PyObject *result = PyObject_Vectorcall(hook->original, args, given, names);
    if (wanted && result != NULL && go_on(hook, result, args, PyVectorcall_NARGS(given), names, NULL) < 0) Py_CLEAR(result);
    return result;
}

/* A call that `after` is told of likewise; its first argument is in a list of this thread, behind those whose calls it is in, while it is called. */
static PyObject *hook_within(Hook *hook, PyObject *const *args, size_t given, PyObject *names) {
    PyObject *result, *type, *value, *traceback, *list = PyObject_GetAttr(hook->headers, s_running);
    Py_ssize_t depth = list != NULL && PyList_Check(list) ? PyList_GET_SIZE(list) : 0;
    if (list == NULL || !PyVectorcall_NARGS(given) || PyList_Append(list, args[0]) < 0) {
        PyErr_Clear();
        Py_XDECREF(list);
        return PyObject_Vectorcall(hook->original, args, given, names);
    }
    result = PyObject_Vectorcall(hook->original, args, given, names);
    if (result != NULL && go_on(hook, result, args, PyVectorcall_NARGS(given), names, NULL) < 0) Py_CLEAR(result);
    PyErr_Fetch(&type, &value, &traceback);
    if (PyList_SetSlice(list, depth, PY_SSIZE_T_MAX, NULL) < 0) PyErr_Clear();
    PyErr_Restore(type, value, traceback);
    Py_DECREF(list);
    return result;
}

/* A call between `headers`, which may give what to call with and a state, and `after`, which is given that state, what was
   raised and what was returned. */
static PyObject *hook_around(Hook *hook, PyObject *args, PyObject *kwargs) {
    PyObject *begun = PyObject_Call(hook->headers, args, kwargs), *state, *result, *done, *type, *value, *traceback;
    if (begun == NULL && !ours()) return NULL;
    if (begun == NULL || begun == Py_None ||
        !PyArg_ParseTuple(begun, "O!O!O", &PyTuple_Type, &args, &PyDict_Type, &kwargs, &state)) {
        PyErr_Clear();
        Py_XDECREF(begun);
        return PyObject_Call(hook->original, args, kwargs);
    }
    result = PyObject_Call(hook->original, args, kwargs);
    PyErr_Fetch(&type, &value, &traceback);
    if (result == NULL) PyErr_NormalizeException(&type, &value, &traceback);
    done = PyObject_CallFunctionObjArgs(hook->after, state, value ? value : Py_None, result ? result : Py_None, NULL);
    Py_DECREF(begun);
    if (done == NULL && !ours()) {
        Py_CLEAR(result); Py_XDECREF(type); Py_XDECREF(value); Py_XDECREF(traceback);
        return NULL;
    }
    Py_XDECREF(done);
    PyErr_Restore(type, value, traceback);
    return result;
}

static PyObject *hook_call(Hook *hook, PyObject *args, PyObject *kwargs) {
    if (hook->original == NULL) { PyErr_SetString(PyExc_RuntimeError, "nothing is wrapped"); return NULL; }
    if (hook->vectorcall != NULL) return PyVectorcall_Call((PyObject *)hook, args, kwargs);
    if (hook->kind == AROUND) return hook_around(hook, args, kwargs);
    PyObject *result = PyObject_Call(hook->original, args, kwargs);
    if (result == NULL) return NULL;
    if (!is_active(hook) || (hook->kind != EXITED && is_silent(hook->path))) return result;
    if ((kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0) && note(hook, args, result) > 0) return result;
    if (!ours() || go_on(hook, result, &PyTuple_GET_ITEM(args, 0), PyTuple_GET_SIZE(args), NULL, kwargs) < 0)
        Py_CLEAR(result);
    return result;
}

static PyObject *hook_bound(PyObject *hook, PyObject *object, PyObject *type) {
    return object == NULL || object == Py_None ? Py_NewRef(hook) : PyMethod_New(hook, object);
}

static int hook_traverse(Hook *hook, visitproc visit, void *arg) {
    Py_VISIT(hook->path); Py_VISIT(hook->original); Py_VISIT(hook->after); Py_VISIT(hook->headers);
    Py_VISIT(hook->attributes);
    return 0;
}

static int hook_clear(Hook *hook) {
    hook->vectorcall = NULL;
    Py_CLEAR(hook->original); Py_CLEAR(hook->path); Py_CLEAR(hook->after); Py_CLEAR(hook->headers);
    Py_CLEAR(hook->attributes);
    return 0;
}

static void hook_dealloc(Hook *hook) {
    PyObject_GC_UnTrack(hook);
    if (hook->weak != NULL) PyObject_ClearWeakRefs((PyObject *)hook);
    hook_clear(hook);
    PyObject_GC_Del(hook);
}

static PyGetSetDef hook_attributes[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict}, {NULL}};

static PyTypeObject HookType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tensorwhy.recording._fast.Hook",
    .tp_basicsize = sizeof(Hook),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Hook, vectorcall),
    .tp_doc = "Calls a function, and writes down that it was called.",
    .tp_call = (ternaryfunc)hook_call,
    .tp_descr_get = hook_bound,
    .tp_dictoffset = offsetof(Hook, attributes),
    .tp_weaklistoffset = offsetof(Hook, weak), /* AutoGraph keeps what it has converted by weak references */
    .tp_getset = hook_attributes,
    .tp_traverse = (traverseproc)hook_traverse,
    .tp_clear = (inquiry)hook_clear,
    .tp_dealloc = (destructor)hook_dealloc,
};

static PyObject *new_hook(int kind, FastPath *path, PyObject *original, PyObject *after, PyObject *headers) {
    Hook *hook = PyObject_GC_New(Hook, &HookType);
    if (hook == NULL) return NULL;
    hook->path = (FastPath *)Py_XNewRef((PyObject *)path);
    hook->original = Py_NewRef(original);
    hook->after = Py_NewRef(after);
    hook->headers = Py_NewRef(headers);
    hook->attributes = hook->weak = NULL;
    hook->header = 0;
    hook->kind = kind;
    hook->vectorcall = (vectorcallfunc)(kind == CALLED ? hook_called : kind == GATED ? hook_gated
                                        : kind == TOLD ? hook_told : kind == WITHIN ? hook_within : NULL);
    PyObject_GC_Track(hook);
    return (PyObject *)hook;
}

static PyObject *fast_hook(FastPath *self, PyObject *args) {
    int kind;
    long long header;
    PyObject *original, *after, *headers;
    if (!PyArg_ParseTuple(args, "iOOOL", &kind, &original, &after, &headers, &header)) return NULL;
    int lists = PyTuple_Check(headers) && PyTuple_GET_SIZE(headers) == 2 &&
                PyList_Check(PyTuple_GET_ITEM(headers, 0)) && PyList_Check(PyTuple_GET_ITEM(headers, 1));
    if (kind == GATED || (kind == CALLED ? !lists : !PyDict_Check(headers))) {
        PyErr_SetString(PyExc_TypeError, "a dict of headers is needed, or two lists for what is CALLED");
        return NULL;
    }
    PyObject *hook = new_hook(kind, self, original, after, headers);
    if (hook != NULL) ((Hook *)hook)->header = header;
    return hook;
}

static PyObject *gate(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *original, *before, *slots;
    if (!PyArg_ParseTuple(args, "OOO!", &original, &before, &PyList_Type, &slots)) return NULL;
    return new_hook(GATED, NULL, original, before, slots);
}

static PyObject *around(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *original, *before, *after;
    if (!PyArg_ParseTuple(args, "OOO", &original, &before, &after)) return NULL;
    return new_hook(AROUND, NULL, original, after, before);
}

static PyObject *told(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *original, *after, *unless;
    if (!PyArg_ParseTuple(args, "OOO", &original, &after, &unless)) return NULL;
    return new_hook(TOLD, NULL, original, after, unless);
}

static PyObject *within(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *original, *inside, *after;
    if (!PyArg_ParseTuple(args, "OOO", &original, &inside, &after)) return NULL;
    return new_hook(WITHIN, NULL, original, after, inside);
}

/* See frames.py. */
static PyObject *nearest(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *given, *files;
    if (!PyArg_ParseTuple(args, "OO!", &given, &PyDict_Type, &files)) return NULL;
    PyFrameObject *frame = PyFrame_Check(given) ? (PyFrameObject *)Py_NewRef(given) : NULL;
    while (frame != NULL) {
        PyObject *code = (PyObject *)PyFrame_GetCode(frame);
        int found = is_users(files, code);
        Py_DECREF(code);
        if (found > 0) return (PyObject *)frame;
        PyFrameObject *back = found == 0 ? PyFrame_GetBack(frame) : NULL;
        Py_DECREF(frame);
        frame = back;
        if (found < 0) return NULL;
    }
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static PyObject *recent_extend(Recent *self, PyObject *row) {
    PyObject *numbers = PySequence_Fast(row, "a row is a sequence of numbers");
    Py_ssize_t count = numbers ? PySequence_Fast_GET_SIZE(numbers) : 0;
    int failed = numbers == NULL || make_room(self, count) < 0;
    for (Py_ssize_t i = 0; !failed && i < count; i++) { /* only what is converted without running any Python */
        PyObject *number = PySequence_Fast_GET_ITEM(numbers, i);
        if (PyLong_Check(number)) self->numbers[self->count + i] = PyLong_AsLongLong(number);
        else PyErr_SetString(PyExc_TypeError, "a row is a sequence of numbers");
        failed = PyErr_Occurred() != NULL;
    }
    if (!failed) self->count += count;
    Py_XDECREF(numbers);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static PyObject *recent_move(Recent *self, PyObject *rows) {
    Py_ssize_t count = self->count; /* a collection of garbage may write more in the meantime */
    PyObject *bytes = PyBytes_FromStringAndSize((char *)self->numbers, count * (Py_ssize_t)sizeof *self->numbers);
    PyObject *moved = bytes ? PyObject_CallMethod(rows, "frombytes", "O", bytes) : NULL;
    Py_XDECREF(bytes);
    if (moved == NULL) return NULL;
    self->count -= count;
    memmove(self->numbers, self->numbers + count, (size_t)self->count * sizeof *self->numbers);
    return moved;
}

static Py_ssize_t recent_length(Recent *self) { return self->count; }

static void recent_dealloc(Recent *self) {
    PyMem_Free(self->numbers);
    Py_TYPE(self)->tp_free(self);
}

static PyMethodDef recent_methods[] = {
    {"extend", (PyCFunction)recent_extend, METH_O, "Append a row, or nothing when it is none."},
    {"move", (PyCFunction)recent_move, METH_O, "Move all numbers to the end of an array."},
    {NULL}};

static PySequenceMethods recent_sequence = {.sq_length = (lenfunc)recent_length};

static PyTypeObject RecentType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tensorwhy.recording._fast.Recent",
    .tp_basicsize = sizeof(Recent),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Rows that were written lately.",
    .tp_new = PyType_GenericNew,
    .tp_dealloc = (destructor)recent_dealloc,
    .tp_methods = recent_methods,
    .tp_as_sequence = &recent_sequence,
};

static PyObject *fast_call(FastPath *self, PyObject *args, PyObject *kwargs) {
    if (self->original == NULL) { PyErr_SetString(PyExc_RuntimeError, "nothing is wrapped"); return NULL; }
    PyObject *result = PyObject_Call(self->original, args, kwargs);
    if (result == NULL) return NULL;
    if (!is_true(self->recorder, self->active)) return result;
    if (record(self, args, result) <= 0) { /* `general` catches what fails in it, and tells of it */
        PyObject *written = ours() ? PyObject_CallFunctionObjArgs(self->general, args, result, NULL) : NULL;
        if (written == NULL && !ours()) Py_CLEAR(result);
        Py_XDECREF(written);
    }
    return result;
}

static PyObject *fast_wrap(FastPath *self, PyObject *original) {
    Py_XSETREF(self->original, Py_NewRef(original));
    return Py_NewRef((PyObject *)self);
}

static PyObject *fast_key(FastPath *self, PyObject *frame) {
    unsigned long long key;
    PyFrameObject *innermost;
    if (!PyFrame_Check(frame)) return Py_BuildValue("(iO)", 0, Py_None);
    if (key_of(self, (PyFrameObject *)Py_NewRef(frame), &key, &innermost) < 0) return NULL;
    if (innermost == NULL) return Py_BuildValue("(iO)", 0, Py_None);
    return Py_BuildValue("(KN)", key, innermost);
}

static int fast_traverse(FastPath *self, visitproc visit, void *arg) {
    for (PyObject **each = &self->recorder; each < self->codes + CODES; each++) Py_VISIT(*each);
    return 0;
}

static int fast_clear(FastPath *self) {
    for (PyObject **each = &self->recorder; each < self->codes + CODES; each++) Py_CLEAR(*each);
    for (int i = 0; i < TENSORS; i++) Py_CLEAR(self->references[i]);
    return 0;
}

static void fast_dealloc(FastPath *self) {
    PyObject_GC_UnTrack(self);
    fast_clear(self);
    Py_TYPE(self)->tp_free(self);
}

static int fast_init(FastPath *self, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"recorder", "keeper", "general", "known", "files", "within", "place_index",
                            "threads", "recent", "settle", "tensor", "unwritten", NULL};
    PyObject *given[12];
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "$OOOO!OO!O!O!O!OOO!", names, &given[0], &given[1], &given[2],
                                     &PyDict_Type, &given[3], &given[4], &PyDict_Type, &given[5], &PyDict_Type,
                                     &given[6], &PyDict_Type, &given[7], &RecentType, &given[8], &given[9], &given[10],
                                     &PySet_Type, &given[11]))
        return -1;
    Py_XSETREF(self->id, PyObject_GetAttr(given[10], s_id));
    Py_XSETREF(self->datatype, PyObject_GetAttr(given[10], s_datatype));
    if (self->id == NULL || self->datatype == NULL) return -1;
    if ((self->active = slot_of(given[0], "active")) < 0) return -1;
    if ((self->on = slot_of(given[1], "on")) < 0 || (self->calls = slot_of(given[1], "calls")) < 0) return -1;
    for (int i = 0; i < 12; i++) Py_XSETREF((&self->recorder)[i], Py_NewRef(given[i]));
    self->thread = -1;
    return 0;
}

static PyMethodDef fast_methods[] = {
    {"wrap", (PyCFunction)fast_wrap, METH_O, "Call this function from now on; returns the wrapper."},
    {"hook", (PyCFunction)fast_hook, METH_VARARGS, "Kind, original, what goes on in Python, headers, header: a wrapper."},
    {"key", (PyCFunction)fast_key, METH_O, "What tells the stack at a frame from others, and its nearest user frame."},
    {NULL}};

static PyTypeObject FastPathType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tensorwhy.recording._fast.FastPath",
    .tp_basicsize = sizeof(FastPath),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "Calls a kernel, and writes the operation down.",
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)fast_init,
    .tp_call = (ternaryfunc)fast_call,
    .tp_traverse = (traverseproc)fast_traverse,
    .tp_clear = (inquiry)fast_clear,
    .tp_dealloc = (destructor)fast_dealloc,
    .tp_methods = fast_methods,
};

static PyMethodDef functions[] = {
    {"gate", gate, METH_VARARGS, "Original, what is told of a call before, and the slots of what is only counted: a method."},
    {"around", around, METH_VARARGS, "Original, what is called before and after: a method without a frame."},
    {"told", told, METH_VARARGS, "Original, what is given its result and its arguments, and a type of which nothing is told."},
    {"within", within, METH_VARARGS, "Original, what holds the list of those that are called, what is told: a method."},
    {"nearest", nearest, METH_VARARGS, "A frame and what tells files of the user's: the nearest frame that is in one."},
    {NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_fast", "The compiled recorder.", -1, functions};

PyMODINIT_FUNC PyInit__fast(void) {
    int failed = PyType_Ready(&RecentType) < 0 || PyType_Ready(&FastPathType) < 0 || PyType_Ready(&HookType) < 0;
    PyObject *made = failed ? NULL : PyModule_Create(&module);
    struct { PyObject **at; const char *text; } texts[] = {
        {&s_id, "_id"}, {&s_datatype, "_datatype_enum"}, {&s_lasti, "f_lasti"}, {&s_module, "<module>"}, {&s_handle, "handle"},
        {&s_running, "running"}};
    for (size_t i = 0; made != NULL && i < sizeof texts / sizeof *texts; i++)
        if ((*texts[i].at = PyUnicode_InternFromString(texts[i].text)) == NULL) Py_CLEAR(made);
    struct { const char *name; int kind; } kinds[] = {
        {"EXECUTED", EXECUTED}, {"MARKED", MARKED}, {"ACCESSED", ACCESSED}, {"ENTERED", ENTERED},
        {"EXITED", EXITED}, {"CALLED", CALLED}};
    for (size_t i = 0; made != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (PyModule_AddIntConstant(made, kinds[i].name, kinds[i].kind) < 0) Py_CLEAR(made);
    if (made != NULL && PyModule_AddObjectRef(made, "FastPath", (PyObject *)&FastPathType) < 0) Py_CLEAR(made);
    if (made != NULL && PyModule_AddObjectRef(made, "Recent", (PyObject *)&RecentType) < 0) Py_CLEAR(made);
    return made;
}
