/* What a function mode does with each call, compiled: see `Mode` and `Rows.write` in adapters/torch, which do the same
   in Python and are used where this was not built. It has no frame: a warning that a function raises names the line that
   called the function, as in a plain run.

   Only the plain case is written here: known tensors and Python's own values in, new tensors out, at a place that is
   known. All else is left to `general`, in Python. So that the two never differ, the tables are those of the recorder in
   Python, and nothing is decided here: `operation` returns 1 when it is done, 0 when the case is one for Python, which then
   begins from the start, and -1 when an exception is set. Tensors are held by weak references alone. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>
#include <structmember.h>
#include <stddef.h>

#define WIDEST 256 /* tensors that a call takes or gives, at most */
#define CODES 1024 /* size of the cache of code objects; a power of two */
enum { IN_SHIFT = 28, OUT_SHIFT = 12, THREAD_SHIFT = 4, RECENT = 16384, OWNERS = 3 };
enum { USER = 1, MODULE = 2, READY_MADE = 4 };           /* what code is */
enum { PLAIN = 1, NUMBERS = 2, PAIRING = 4, SKIPPED = 8, INTERPRETED = 16, CHANGES = 32 }; /* what a function is */

#define GIVEN(X) X(rows) X(learn) X(general) X(refused) X(fail) X(kinds) X(serials) X(known) X(requiring) X(calls) \
    X(kept) X(makers) X(alive) X(shapes) X(scalars) X(sequence) X(strangers) X(journal) X(files) X(place_index) X(threads) \
    X(dtypes) X(tensor) X(parameter) X(weak) X(ref) X(call) X(plain) X(is_autocast) X(autocast) X(keeps_graphs) \
    X(is_ready_made) X(most) X(warned) X(again) X(changing) X(depth)
#define MEMBER(name) PyObject *name;
#define COUNT(name) +1
enum { COUNT_OF_GIVEN = 0 GIVEN(COUNT) };

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    GIVEN(MEMBER)
    PyObject *codes[CODES]; /* strong references, so that an address never becomes that of other code */
    char verdicts[CODES];
    Py_ssize_t limit;
} Watcher;

/* The tensors of one call. The numbers are references that are owned. */
typedef struct {
    PyObject *inputs[WIDEST], *made[WIDEST], *shapes[WIDEST];
    Py_ssize_t given, count;
} Row;

#define TEXTS(X) X(writing) X(silent) X(paused) X(requires_grad) X(is_leaf) X(latest) X(shape) X(dtype) X(last) \
    X(_count) X(position) X(recent) X(extend) X(settle) X(out) X(inplace) X(self) X(f_locals) X(f_lasti) X(pair) X(evict) X(begin) X(end)
#define TEXT(name) static PyObject *s_##name;
TEXTS(TEXT)
static PyObject *s_module, *minus_one;

/* 1, 0, or -1 on error. */
static int truth_of(PyObject *object, PyObject *name) {
    PyObject *value = PyObject_GetAttr(object, name);
    int found = value ? value == Py_True || (value != Py_False && PyObject_IsTrue(value)) : -1;
    Py_XDECREF(value);
    return found;
}

static PyObject *referred(PyObject *reference) { /* to be compared only */
#if PY_VERSION_HEX >= 0x030D0000
    PyObject *object = NULL;
    if (PyWeakref_GetRef(reference, &object) < 0) PyErr_Clear();
    Py_XDECREF(object);
    return object;
#else
    return PyWeakref_GET_OBJECT(reference);
#endif
}

static int is_tensor(Watcher *self, PyObject *value) {
    PyObject *type = (PyObject *)Py_TYPE(value);
    return type == self->tensor || type == self->parameter;
}

/* The number of a tensor, borrowed; NULL without an exception where it has none. */
static PyObject *number_of(Watcher *self, PyObject *tensor) {
    PyObject *key = PyLong_FromVoidPtr(tensor), *entry = key ? PyDict_GetItemWithError(self->known, key) : NULL;
    Py_XDECREF(key);
    return entry && referred(PyTuple_GET_ITEM(entry, 0)) == tensor ? PyTuple_GET_ITEM(entry, 1) : NULL;
}

/* What code is; -1 on error. */
static int verdict_of(Watcher *self, PyObject *code) {
    size_t slot = ((size_t)code >> 4) * 0x9E3779B97F4A7C15ull >> 40 & (CODES - 1);
    if (self->codes[slot] == code) return self->verdicts[slot];
    PyObject *owned = PyObject_GetItem(self->files, ((PyCodeObject *)code)->co_filename);
    int verdict = owned ? PyObject_IsTrue(owned) : -1;
    Py_XDECREF(owned);
    if (verdict > 0 && PyObject_RichCompareBool(((PyCodeObject *)code)->co_name, s_module, Py_EQ) == 1) verdict |= MODULE;
    if (verdict >= 0) {
        PyObject *ready = PyObject_CallOneArg(self->is_ready_made, code), *before = self->codes[slot];
        if (ready == NULL) return -1;
        verdict |= ready == Py_True ? READY_MADE : 0;
        Py_DECREF(ready);
        self->codes[slot] = Py_NewRef(code);
        self->verdicts[slot] = (char)verdict;
        Py_XDECREF(before);
    }
    return verdict;
}

static PyObject *lasti_of(PyFrameObject *frame) {
#if PY_VERSION_HEX >= 0x030B0000
    return PyLong_FromLong(PyFrame_GetLasti(frame));
#else
    return PyObject_GetAttr((PyObject *)frame, s_f_lasti);
#endif
}

/* The id of the variable `self` of a frame; None where it has none. */
static PyObject *self_of(PyFrameObject *frame) {
    PyObject *locals = PyObject_GetAttr((PyObject *)frame, s_f_locals), *value = NULL;
    if (locals != NULL) value = PyObject_GetItem(locals, s_self);
    Py_XDECREF(locals);
    if (value == NULL) PyErr_Clear();
    PyObject *number = PyLong_FromVoidPtr(value ? value : Py_None);
    Py_XDECREF(value);
    return number;
}

/* The place, as `Places.place` finds it, and the ready-made module around it. 1: done; 0: a new place; -1: error. */
static int place(Watcher *self, PyObject **place, PyObject **owner) {
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    PyObject *key = PyLong_FromLong(0);
    int depth = 0, users = 0;
    *owner = NULL;
    while (frame != NULL && key != NULL) {
        PyObject *code = (PyObject *)PyFrame_GetCode(frame);
        int verdict = verdict_of(self, code);
        if (verdict >= 0 && verdict & READY_MADE && depth < OWNERS && *owner == NULL) *owner = self_of(frame);
        if (verdict > 0 && verdict & USER) {
            PyObject *address = PyLong_FromVoidPtr(code), *lasti = lasti_of(frame), *all = NULL;
            if (address != NULL && lasti != NULL) all = PyTuple_Pack(3, key, address, lasti);
            Py_hash_t hash = all ? PyObject_Hash(all) : -1;
            Py_XDECREF(address); Py_XDECREF(lasti); Py_XDECREF(all);
            Py_SETREF(key, hash == -1 ? NULL : PyLong_FromSsize_t(hash));
            users++;
        }
        Py_DECREF(code);
        PyFrameObject *back = verdict < 0 || verdict & MODULE ? NULL : PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
        depth++;
    }
    Py_XDECREF(frame);
    if (*owner == NULL && !PyErr_Occurred()) *owner = PyLong_FromLong(0);
    *place = key == NULL || PyErr_Occurred() ? NULL : users ? PyDict_GetItemWithError(self->place_index, key) : minus_one;
    Py_XDECREF(key);
    Py_XINCREF(*place);
    return PyErr_Occurred() ? -1 : *place != NULL;
}

/* Take note of the tensors in an argument. 1: done; 0: one for Python; -1: error. */
static int input(Watcher *self, PyObject *value, int floats, Row *row) {
    PyTypeObject *type = Py_TYPE(value);
    if (row->given >= WIDEST) return 0;
    if (is_tensor(self, value)) {
        PyObject *number = number_of(self, value);
        if (number == NULL) return PyErr_Occurred() ? -1 : 0;
        row->inputs[row->given++] = Py_NewRef(number);
        return 1;
    }
    if (type == &PyList_Type || type == &PyTuple_Type) {
        int done = 1;
        for (Py_ssize_t i = 0; done > 0 && i < PySequence_Fast_GET_SIZE(value); i++)
            done = input(self, PySequence_Fast_GET_ITEM(value, i), 0, row);
        return done;
    }
    if (floats && (type == &PyLong_Type || type == &PyFloat_Type)) {
        row->inputs[row->given++] = Py_NewRef(minus_one);
        return 1;
    }
    return PySet_Contains(self->plain, (PyObject *)type);
}

static int inputs(Watcher *self, PyObject *args, PyObject *kwargs, int floats, Row *row) {
    PyObject *name, *value;
    Py_ssize_t at = 0;
    int done = 1;
    for (Py_ssize_t i = 0; done > 0 && i < PyTuple_GET_SIZE(args); i++)
        done = input(self, PyTuple_GET_ITEM(args, i), floats, row);
    while (done > 0 && kwargs != NULL && PyDict_Next(kwargs, &at, &name, &value)) {
        int named = PyObject_RichCompareBool(name, s_out, Py_EQ);
        if (named == 0 && value != Py_False) named = PyObject_RichCompareBool(name, s_inplace, Py_EQ);
        done = named == 0 ? input(self, value, floats, row) : named < 0 ? -1 : 0;
    }
    return done;
}

/* Take note of a tensor that was made. 1: done; 0: one for Python; -1: error. */
static int output(Watcher *self, PyObject *value, Row *row) {
    if (row->count >= WIDEST) return 0;
    if (!is_tensor(self, value)) return PySet_Contains(self->plain, (PyObject *)Py_TYPE(value));
    PyObject *shape = PyObject_GetAttr(value, s_shape);
    if (shape == NULL || !PyTuple_Check(shape)) { /* nested, or not initialized: it has none */
        PyErr_Clear();
        Py_XDECREF(shape);
        return 0;
    }
    row->shapes[row->count] = shape;
    row->made[row->count++] = value;
    return 1;
}

static int outputs(Watcher *self, PyObject *result, Row *row) {
    int done = 1;
    if (!PyTuple_Check(result) && !PyList_CheckExact(result)) return output(self, result, row);
    for (Py_ssize_t i = 0; done > 0 && i < PySequence_Fast_GET_SIZE(result); i++)
        done = output(self, PySequence_Fast_GET_ITEM(result, i), row);
    return done;
}

/* Whether a result is one of the inputs, which is no result then. -1: error. */
static int is_given(Watcher *self, PyObject *tensor, Row *row) {
    PyObject *number = number_of(self, tensor);
    for (Py_ssize_t i = 0; number != NULL && i < row->given; i++)
        if (row->inputs[i] == number) return 1;
    return PyErr_Occurred() ? -1 : 0;
}

/* 1: no gradient is lost by this call; 0: one for Python; -1: error. *node: the graph has a node for it. The node itself is
   not asked for: an object of Python's stays with it, and a long graph of such nodes overflows the stack when it goes. */
static int graph(Watcher *self, Row *row, int *node) {
    int requires = truth_of(row->made[0], s_requires_grad), paused = truth_of(self->rows, s_paused), any = 0;
    *node = 0;
    if (requires < 0 || paused < 0) return -1;
    if (requires) {
        if (paused) return 0;
        *node = truth_of(row->made[0], s_is_leaf) == 0;
        PyErr_Clear(); /* a leaf, or a view that nobody is told of */
        return *node;
    }
    for (Py_ssize_t i = 0; any == 0 && i < row->given; i++) any = PySet_Contains(self->requiring, row->inputs[i]);
    if (any < 0) return -1;
    if (!paused) return !any;
    PyObject *keeps = PyObject_CallNoArgs(self->keeps_graphs);
    Py_XDECREF(keeps);
    return keeps == NULL ? -1 : keeps != Py_True;
}

/* What is kept holds only numbers, names and weak references, which the garbage collector need not walk through again and
   again. */
static void untrack(PyObject *object) {
    if (object != NULL && PyObject_IS_GC(object)) PyObject_GC_UnTrack(object);
}

/* A new instance of a named tuple with so many fields, to be filled. */
static PyObject *tuple_of(PyObject *type, Py_ssize_t size) {
    return ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, size);
}

/* Arguments with a reference in the place of each tensor; NULL on error. */
static PyObject *template(Watcher *self, PyObject *value) {
    PyTypeObject *type = Py_TYPE(value);
    if (is_tensor(self, value)) {
        PyObject *number = number_of(self, value), *made = number ? tuple_of(self->ref, 1) : NULL;
        if (made == NULL) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_RuntimeError, "a tensor lost its number");
        PyTuple_SET_ITEM(made, 0, Py_NewRef(number));
        int known = PyDict_Contains(self->alive, number);
        if (known == 0) {
            PyObject *reference = PyObject_CallOneArg(self->weak, value), *shape = PyObject_GetAttr(value, s_shape);
            known = reference == NULL || PyDict_SetItem(self->alive, number, reference) < 0 ? -1 : 0;
            if (shape == NULL) PyErr_Clear();
            else if (known == 0) known = PyDict_SetItem(self->shapes, number, shape);
            Py_XDECREF(reference);
            Py_XDECREF(shape);
        }
        if (known < 0) Py_CLEAR(made);
        untrack(made);
        return made;
    }
    if (type != &PyList_Type && type != &PyTuple_Type) return Py_NewRef(value);
    Py_ssize_t size = PySequence_Fast_GET_SIZE(value);
    PyObject *made = type == &PyList_Type ? PyList_New(size) : PyTuple_New(size);
    for (Py_ssize_t i = 0; made != NULL && i < size; i++) {
        PyObject *each = template(self, PySequence_Fast_GET_ITEM(value, i));
        if (each == NULL) Py_CLEAR(made);
        else if (type == &PyList_Type) PyList_SET_ITEM(made, i, each);
        else PyTuple_SET_ITEM(made, i, each);
    }
    return made;
}

static PyObject *templates(Watcher *self, PyObject *kwargs) {
    PyObject *made = PyDict_New(), *name, *value;
    Py_ssize_t at = 0;
    while (made != NULL && kwargs != NULL && PyDict_Next(kwargs, &at, &name, &value)) {
        PyObject *each = template(self, value);
        if (each == NULL || PyDict_SetItem(made, name, each) < 0) Py_CLEAR(made);
        Py_XDECREF(each);
    }
    return made;
}

/* A counter that is an attribute, one higher; NULL on error. */
static PyObject *next_of(PyObject *object, PyObject *name) {
    PyObject *value = PyObject_GetAttr(object, name);
    long long count = value ? PyLong_AsLongLong(value) : -1;
    Py_XDECREF(value);
    PyObject *next = count < 0 ? NULL : PyLong_FromLongLong(count + 1);
    if (next != NULL && PyObject_SetAttr(object, name, next) < 0) Py_CLEAR(next);
    return next;
}

/* Give a new tensor its number, owned, and what is known by it; NULL on error. */
static PyObject *numbered(Watcher *self, PyObject *tensor, PyObject *shape, int *requires) {
    PyObject *number = next_of(self->serials, s_last), *key = PyLong_FromVoidPtr(tensor), *entry = NULL;
    PyObject *reference = PyObject_CallOneArg(self->weak, tensor);
    int failed = number == NULL || key == NULL || reference == NULL || (entry = PyTuple_Pack(2, reference, number)) == NULL ||
                 PyDict_SetItem(self->known, key, entry) < 0 || PyDict_SetItem(self->alive, number, reference) < 0 ||
                 PyDict_SetItem(self->shapes, number, shape) < 0 || (*requires = truth_of(tensor, s_requires_grad)) < 0 ||
                 (*requires && PySet_Add(self->requiring, number) < 0);
    untrack(entry);
    untrack(reference);
    Py_XDECREF(key); Py_XDECREF(entry); Py_XDECREF(reference);
    if (failed) Py_CLEAR(number);
    return number;
}

/* Append the row of the journal; -1 on error. */
static int append(Watcher *self, PyObject *kind, PyObject *at, Row *row, PyObject *numbers) {
    PyObject *ident = PyLong_FromUnsignedLong(PyThread_get_thread_ident());
    PyObject *thread = ident ? PyDict_GetItemWithError(self->threads, ident) : NULL, *all;
    long long header = PyLong_AsLongLong(PyTuple_GET_ITEM(kind, 1));
    header |= (long long)row->given << IN_SHIFT | (long long)row->count << OUT_SHIFT;
    if (thread != NULL) header |= PyLong_AsLongLong(thread) << THREAD_SHIFT;
    Py_XDECREF(ident);
    if (PyErr_Occurred() || (all = PyTuple_New(2 + row->given + row->count)) == NULL) return -1;
    PyTuple_SET_ITEM(all, 0, PyLong_FromLongLong(header));
    PyTuple_SET_ITEM(all, 1, Py_NewRef(at));
    for (Py_ssize_t i = 0; i < row->given; i++) PyTuple_SET_ITEM(all, 2 + i, Py_NewRef(row->inputs[i]));
    for (Py_ssize_t i = 0; i < row->count; i++) {
        PyObject *dtype = PyObject_GetAttr(row->made[i], s_dtype);
        PyObject *known = dtype ? PyDict_GetItemWithError(self->dtypes, dtype) : NULL;
        long long output = PyLong_AsLongLong(PyTuple_GET_ITEM(numbers, i)) << 8;
        if (known != NULL) output |= PyLong_AsLongLong(known);
        PyTuple_SET_ITEM(all, 2 + row->given + i, PyLong_FromLongLong(output));
        Py_XDECREF(dtype);
    }
    PyObject *recent = PyErr_Occurred() ? NULL : PyObject_GetAttr(self->journal, s_recent);
    PyObject *done = recent ? PyObject_CallMethodOneArg(recent, s_extend, all) : NULL;
    if (done != NULL && PyObject_Size(recent) > RECENT) Py_SETREF(done, PyObject_CallMethodNoArgs(self->journal, s_settle));
    Py_DECREF(all); Py_XDECREF(recent); Py_XDECREF(done);
    return done ? 0 : -1;
}

/* Keep the call, so that it can be made again; -1 on error. `args` and `kwargs` are stolen. */
static int keep(Watcher *self, PyObject *kind, PyObject *func, PyObject *args, PyObject *kwargs, PyObject *numbers,
                PyObject *at, int keeps, PyObject *owner) {
    PyObject *count = next_of(self->calls, s__count), *call = count ? tuple_of(self->call, 10) : NULL;
    PyObject *on = call ? PyObject_CallNoArgs(self->is_autocast) : NULL, *autocast;
    autocast = on == NULL ? NULL : on == Py_True ? PyObject_CallNoArgs(self->autocast) : Py_NewRef(Py_None);
    Py_XDECREF(on);
    if (autocast == NULL) { Py_XDECREF(args); Py_XDECREF(kwargs); Py_XDECREF(count); Py_XDECREF(call); return -1; }
    PyObject *fields[] = {Py_NewRef(func), Py_NewRef(PyTuple_GET_ITEM(kind, 2)), args, kwargs, Py_NewRef(numbers),
                          Py_NewRef(at), Py_NewRef(Py_False), Py_NewRef(keeps ? Py_True : Py_False), autocast,
                          Py_NewRef(owner)};
    for (Py_ssize_t i = 0; i < 10; i++) PyTuple_SET_ITEM(call, i, fields[i]);
    untrack(call);
    untrack(args);
    untrack(numbers);
    int failed = PyDict_SetItem(self->kept, count, call);
    for (Py_ssize_t i = 0; !failed && i < PyTuple_GET_SIZE(numbers); i++)
        failed = PyDict_SetItem(self->makers, PyTuple_GET_ITEM(numbers, i), count);
    Py_DECREF(count); Py_DECREF(call);
    if (!failed && PyLong_AsLong(PyTuple_GET_ITEM(kind, 3)) & PAIRING) {
        PyObject *done = PyObject_CallMethodObjArgs(self->calls, s_pair, args, kwargs, PyTuple_GET_ITEM(numbers, 0), NULL);
        failed = done == NULL;
        Py_XDECREF(done);
    }
    if (!failed && PyDict_GET_SIZE(self->kept) > self->limit) {
        PyObject *done = PyObject_CallMethodNoArgs(self->calls, s_evict);
        failed = done == NULL;
        Py_XDECREF(done);
    }
    return failed ? -1 : 0;
}

/* What was made is new, and all is known of it: write it. 1: done; -1: error. */
static int written(Watcher *self, PyObject *kind, PyObject *func, PyObject *args, PyObject *kwargs, Row *row,
                   int node, PyObject *at, PyObject *owner) {
    PyObject *numbers = PyTuple_New(row->count), *given = NULL, *named = NULL;
    int failed = numbers == NULL || (given = template(self, args)) == NULL || (named = templates(self, kwargs)) == NULL;
    int keeps = 0, requires = 0;
    for (Py_ssize_t i = 0; !failed && i < row->count; i++) {
        PyObject *number = numbered(self, row->made[i], row->shapes[i], &requires);
        if ((failed = number == NULL)) break;
        PyTuple_SET_ITEM(numbers, i, number);
        keeps |= requires;
    }
    if (!failed && PyTuple_GET_SIZE(row->shapes[0]) == 0) failed = PySet_Add(self->scalars, PyTuple_GET_ITEM(numbers, 0)) < 0;
    if (!failed && node) {
        PyObject *number = PyObject_CallMethodNoArgs(self->rows, s_latest), *pair = NULL;
        PyObject *position = number ? PyObject_GetAttr(self->journal, s_position) : NULL;
        failed = position == NULL || (pair = PyTuple_Pack(2, number, position)) == NULL ||
                 PyList_Append(self->sequence, pair) < 0;
        untrack(pair);
        Py_XDECREF(number); Py_XDECREF(position); Py_XDECREF(pair);
    }
    if (!failed) failed = append(self, kind, at, row, numbers) < 0;
    if (!failed) failed = keep(self, kind, func, given, named, numbers, at, keeps, owner) < 0, given = named = NULL;
    Py_XDECREF(numbers); Py_XDECREF(given); Py_XDECREF(named);
    return failed ? -1 : 1;
}

static int operation(Watcher *self, PyObject *kind, PyObject *func, PyObject *args, PyObject *kwargs, PyObject *result) {
    Row row;
    row.given = row.count = 0;
    PyObject *at = NULL, *owner = NULL;
    int node = 0;
    long flags = PyLong_AsLong(PyTuple_GET_ITEM(kind, 3));
    int done = flags & PLAIN && PyList_GET_SIZE(self->strangers) == 0 && PyTuple_CheckExact(args);
    if (done) done = outputs(self, result, &row);
    if (done == 1 && row.count) {
        done = inputs(self, args, kwargs, flags & NUMBERS, &row);
        int known = 0, before = 0;
        for (Py_ssize_t i = 0; done == 1 && i < row.count; i++) {
            if ((known = is_given(self, row.made[i], &row)) < 0) done = -1;
            before += known;
            for (Py_ssize_t k = 0; k < i; k++) before += 2 * (row.made[k] == row.made[i]);
        }
        if (done == 1 && before) done = row.count == 1; /* what comes back as it was is no result */
        else if (done == 1 && (done = graph(self, &row, &node)) == 1 && (done = place(self, &at, &owner)) == 1)
            done = written(self, kind, func, args, kwargs, &row, node, at, owner);
    }
    for (Py_ssize_t i = 0; i < row.given; i++) Py_DECREF(row.inputs[i]);
    for (Py_ssize_t i = 0; i < row.count; i++) Py_DECREF(row.shapes[i]);
    Py_XDECREF(at); Py_XDECREF(owner);
    return done;
}

/* Hand what happened over to Python. `last` is the result; NULL where the exception that is set was raised. */
static int tell(Watcher *self, PyObject *kind, PyObject *func, PyObject *args, PyObject *kwargs, PyObject *result) {
    PyObject *type, *value, *traceback, *done, *frame = (PyObject *)PyThreadState_GetFrame(PyThreadState_Get());
    PyErr_Fetch(&type, &value, &traceback);
    if (frame == NULL) frame = Py_NewRef(Py_None);
    if (kwargs == NULL) kwargs = Py_None;
    if (result != NULL) done = PyObject_CallFunctionObjArgs(self->general, PyTuple_GET_ITEM(kind, 0), func, args, kwargs, result, frame, NULL);
    else done = PyObject_CallFunctionObjArgs(self->refused, PyTuple_GET_ITEM(kind, 0), args, kwargs, frame, NULL);
    Py_DECREF(frame);
    Py_XDECREF(done);
    if (done == NULL) { Py_XDECREF(type); Py_XDECREF(value); Py_XDECREF(traceback); return -1; }
    PyErr_Restore(type, value, traceback);
    return 0;
}

/* A hook never raises into the program. -1: it was interrupted. */
static int failed(Watcher *self) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) return -1;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *done = value ? PyObject_CallOneArg(self->fail, value) : NULL;
    Py_XDECREF(type); Py_XDECREF(value); Py_XDECREF(traceback); Py_XDECREF(done);
    return done ? 0 : -1;
}

static int is_watching(Watcher *self) {
    return truth_of(self->rows, s_writing) == 1 && truth_of(self->rows, s_silent) == 0;
}

/* Whether no other mode is told of the attributes that are read here; -1 on error. */
static int is_alone(Watcher *self) {
    PyObject *depth = PyObject_CallNoArgs(self->depth);
    int alone = depth ? PyLong_AsLong(depth) == 0 : -1;
    Py_XDECREF(depth);
    return alone;
}

/* Call a function of Python, whose warnings count frames. */
static PyObject *warned(Watcher *self, PyObject *func, PyObject *args, PyObject *kwargs) {
    PyObject *type, *value, *traceback, *begun = PyObject_CallMethodNoArgs(self->warned, s_begin);
    PyObject *result = begun ? PyObject_Call(func, args, kwargs) : NULL;
    if (begun == NULL) return NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *ended = PyObject_CallMethodOneArg(self->warned, s_end, begun);
    Py_DECREF(begun); Py_XDECREF(ended);
    if (ended == NULL) { Py_XDECREF(type); Py_XDECREF(value); Py_XDECREF(traceback); Py_CLEAR(result); }
    else PyErr_Restore(type, value, traceback);
    return result;
}

/* Raise the exception that is set once more, from a frame that has the call: who explains it reads that there. */
static void raised(Watcher *self, PyObject *func, PyObject *args, PyObject *kwargs) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL) PyException_SetTraceback(value, traceback);
    PyObject *done = PyObject_CallFunctionObjArgs(self->again, func, args, kwargs ? kwargs : Py_None, value, NULL);
    Py_XDECREF(type); Py_XDECREF(value); Py_XDECREF(traceback); Py_XDECREF(done);
}

/* Called as a method of a mode: with the mode, a function, types, arguments, and perhaps those by name. */
static PyObject *watch(Watcher *self, PyObject *const *given, size_t count, PyObject *names) {
    Py_ssize_t size = PyVectorcall_NARGS(count);
    if (names != NULL || size < 4 || !PyTuple_Check(given[3])) {
        PyErr_SetString(PyExc_TypeError, "a mode is given a function, types, arguments, and those by name");
        return NULL;
    }
    PyObject *func = given[1], *args = given[3], *kwargs = size > 4 && PyDict_Check(given[4]) ? given[4] : NULL;
    PyObject *known = PyDict_GetItemWithError(self->kinds, func);
    PyObject *kind = known ? Py_NewRef(known) : PyErr_Occurred() ? NULL : PyObject_CallOneArg(self->learn, func);
    if (kind == NULL) return NULL;
    long flags = PyLong_AsLong(PyTuple_GET_ITEM(kind, 3));
    if (flags & CHANGES && is_watching(self)) {
        PyObject *copied = PyObject_CallOneArg(self->changing, args);
        if (copied == NULL && failed(self) < 0) { Py_DECREF(kind); return NULL; }
        Py_XDECREF(copied);
    }
    PyObject *result = flags & INTERPRETED ? warned(self, func, args, kwargs) : PyObject_Call(func, args, kwargs);
    int done = 0;
    if (!(flags & SKIPPED)) {
        if (result == NULL) {
            if (PyErr_ExceptionMatches(PyExc_RuntimeError)) {
                PyObject *type, *value, *traceback;
                PyErr_Fetch(&type, &value, &traceback);
                int on = is_watching(self);
                PyErr_Restore(type, value, traceback);
                if (on) done = tell(self, kind, func, args, kwargs, NULL);
            }
        } else if (is_watching(self)) {
            if ((done = is_alone(self)) == 1) done = operation(self, kind, func, args, kwargs, result);
            if (done == 0) done = tell(self, kind, func, args, kwargs, result);
            else if (done < 0) done = failed(self);
            if (done < 0) Py_CLEAR(result);
        }
    }
    Py_DECREF(kind);
    if (result == NULL && done == 0 && PyErr_ExceptionMatches(PyExc_Exception)) raised(self, func, args, kwargs);
    return result;
}

static int watcher_traverse(Watcher *self, visitproc visit, void *arg) {
#define VISIT(name) Py_VISIT(self->name);
    GIVEN(VISIT)
    for (int i = 0; i < CODES; i++) Py_VISIT(self->codes[i]);
    return 0;
}

static int watcher_clear(Watcher *self) {
#define CLEAR(name) Py_CLEAR(self->name);
    GIVEN(CLEAR)
    for (int i = 0; i < CODES; i++) Py_CLEAR(self->codes[i]);
    return 0;
}

static void watcher_dealloc(Watcher *self) {
    PyObject_GC_UnTrack(self);
    watcher_clear(self);
    Py_TYPE(self)->tp_free(self);
}

static int watcher_init(Watcher *self, PyObject *args, PyObject *kwargs) {
#define NAMED(name) {#name, offsetof(Watcher, name)},
    static const struct { const char *name; size_t at; } names[] = {GIVEN(NAMED)};
    for (size_t i = 0; i < COUNT_OF_GIVEN; i++) {
        PyObject *value = kwargs ? PyDict_GetItemString(kwargs, names[i].name) : NULL, **at = (PyObject **)((char *)self + names[i].at);
        if (value == NULL) { PyErr_Format(PyExc_TypeError, "`%s` is needed", names[i].name); return -1; }
        Py_XSETREF(*at, Py_NewRef(value));
    }
    self->limit = PyLong_AsSsize_t(self->most);
    self->vectorcall = (vectorcallfunc)watch;
    return PyErr_Occurred() ? -1 : 0;
}

static PyTypeObject WatcherType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tensorwhy.recording._mode.Watcher",
    .tp_basicsize = sizeof(Watcher),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Watcher, vectorcall),
    .tp_doc = "Calls a function, and writes down what it did.",
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)watcher_init,
    .tp_call = PyVectorcall_Call,
    .tp_traverse = (traverseproc)watcher_traverse,
    .tp_clear = (inquiry)watcher_clear,
    .tp_dealloc = (destructor)watcher_dealloc,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_mode", "A compiled function mode.", -1, NULL};

PyMODINIT_FUNC PyInit__mode(void) {
    PyObject *made = PyType_Ready(&WatcherType) < 0 ? NULL : PyModule_Create(&module);
#define INTERN(name) if (made != NULL && (s_##name = PyUnicode_InternFromString(#name)) == NULL) Py_CLEAR(made);
    TEXTS(INTERN)
    if (made != NULL && (s_module = PyUnicode_InternFromString("<module>")) == NULL) Py_CLEAR(made);
    if (made != NULL && (minus_one = PyLong_FromLong(-1)) == NULL) Py_CLEAR(made);
    if (made != NULL && PyModule_AddObjectRef(made, "Watcher", (PyObject *)&WatcherType) < 0) Py_CLEAR(made);
    return made;
}
