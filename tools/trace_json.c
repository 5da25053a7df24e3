/* The output of `mtlcap trace --json`: docs/trace-json.md describes it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "trace.h"

static void write_text_or_null(struct json *json, const char *key, const char *text) {
    json_key(json, key);
    json_string(json, text[0] != '\0' ? text : NULL);
}

static void write_number(struct json *json, const char *key, uint64_t number) {
    json_key(json, key);
    json_number(json, number);
}

static void write_bool(struct json *json, const char *key, bool value) {
    json_key(json, key);
    json_bool(json, value);
}

/* "1024x1024x64" */
static void write_three(struct json *json, const char *answer) {
    json_begin(json, '[', JSON_INLINE);
    for (int i = 0; i < 3; i++) {
        char *end;
        json_number(json, strtoull(answer, &end, 10));
        answer = *end != '\0' ? end + 1 : end;
    }
    json_end(json, ']');
}

/* An answer, whose form goes with the question. */
static void write_answer(struct json *json, const struct mtlcap_trace_question *question,
                         const char *answer) {
    bool is_number = question->kind == MTLCAP_KIND_SIZE || question->kind == MTLCAP_KIND_TIER;
    if (question->has_argument || question->kind == MTLCAP_KIND_BOOL)
        json_bool(json, strcmp(answer, "yes") == 0);
    else if (question->kind == MTLCAP_KIND_SIZE3)
        write_three(json, answer);
    else if (is_number)
        json_number(json, strtoull(answer, NULL, 10));
    else
        json_string(json, answer);
}

static void write_caller(struct json *json, const struct mtlcap_trace_question *caller) {
    json_begin(json, '{', JSON_INLINE);
    write_text_or_null(json, "image", caller->image);
    write_text_or_null(json, "symbol", caller->symbol);
    write_number(json, "address", caller->caller);
    write_number(json, "count", caller->count);
    write_number(json, "first_ns", caller->first_ns);
    write_number(json, "threads", caller->thread_count);
    json_end(json, '}');
}

static void write_argument(struct json *json, const struct mtlcap_trace_question *question) {
    json_key(json, "argument");
    if (!question->has_argument)
        json_null(json);
    else
        json_integer(json, question->argument);
    write_text_or_null(json, "argument_name", question->argument_name);
}

static void write_late(struct json *json, const struct trace_row *row) {
    json_key(json, "too_early");
    if (row->late == NULL) {
        json_null(json);
        return;
    }
    json_begin(json, '{', JSON_INLINE);
    write_number(json, "applied", row->late->applied);
    json_key(json, "answer");
    write_answer(json, row->question, row->late->answer);
    json_end(json, '}');
}

static void write_row(struct json *json, const struct trace_process *process,
                      const struct trace_row *row) {
    const struct mtlcap_trace_question *question = row->question;
    json_begin(json, '{', JSON_LINES);
    write_text_or_null(json, "capability", question->capability);
    write_text_or_null(json, "selector", question->selector);
    write_argument(json, question);
    write_text_or_null(json, "device", question->device_name);
    write_text_or_null(json, "class", question->class_name);
    json_key(json, "answer");
    write_answer(json, question, question->answer);
    json_key(json, "stock");
    if (question->stock_known)
        write_answer(json, question, question->stock);
    else
        json_null(json);
    write_bool(json, "overridden", question->overridden);
    write_bool(json, "derived", question->derived);
    write_number(json, "count", row->count);
    write_number(json, "first_ns", question->first_ns);
    write_late(json, row);
    json_key(json, "callers");
    json_begin(json, '[', JSON_LINES);
    for (uint32_t i = 0; i < row->caller_count; i++)
        write_caller(json, &process->reading.questions[row->callers[i]]);
    json_end(json, ']');
    json_end(json, '}');
}

static void write_unwatched(struct json *json, const struct mtlcap__trace_reading *reading) {
    json_key(json, "not_watched");
    json_begin(json, '[', JSON_LINES);
    for (uint32_t i = 0; i < reading->info.unwatched_count; i++) {
        const struct mtlcap_trace_unwatched *unwatched = &reading->unwatched[i];
        json_begin(json, '{', JSON_INLINE);
        write_text_or_null(json, "capability", unwatched->capability);
        write_text_or_null(json, "selector", unwatched->selector);
        write_text_or_null(json, "device", unwatched->device_name);
        write_text_or_null(json, "class", unwatched->class_name);
        write_text_or_null(json, "reason", unwatched->reason);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void write_applied(struct json *json, const struct mtlcap__trace_reading *reading) {
    json_key(json, "applied");
    json_begin(json, '[', JSON_LINES);
    for (uint32_t i = 0; i < reading->applied_count; i++) {
        json_begin(json, '{', JSON_INLINE);
        write_number(json, "ns", reading->applied[i].ns);
        write_text_or_null(json, "profile", reading->applied[i].profile);
        json_end(json, '}');
    }
    json_end(json, ']');
    write_number(json, "applied_dropped", reading->applied_dropped);
}

/* `question` is an index of what write_row() wrote. */
static void write_events(struct json *json, const struct trace_process *process) {
    const struct mtlcap_trace *info = &process->reading.info;
    const struct mtlcap_trace_event **events = trace_events(process);
    json_key(json, "events");
    json_begin(json, '[', JSON_LINES);
    for (uint32_t i = 0; i < info->event_count; i++) {
        json_begin(json, '{', JSON_INLINE);
        write_number(json, "ns", events[i]->ns);
        write_number(json, "thread", events[i]->thread);
        write_number(json, "question", process->row_of[events[i]->question]);
        json_end(json, '}');
    }
    json_end(json, ']');
    write_number(json, "events_dropped", info->events_dropped);
    free(events);
}

static void write_started(struct json *json, int64_t nanoseconds) {
    char text[32] = "";
    time_t seconds = (time_t)(nanoseconds / 1000000000);
    struct tm parts;
    if (nanoseconds > 0 && gmtime_r(&seconds, &parts) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    write_text_or_null(json, "started", text);
}

static void write_process(struct json *json, const struct trace_process *process) {
    const struct mtlcap__trace_reading *reading = &process->reading;
    json_begin(json, '{', JSON_LINES);
    write_text_or_null(json, "program", reading->program);
    json_key(json, "pid");
    json_integer(json, reading->pid);
    write_text_or_null(json, "profile", reading->profile);
    write_started(json, reading->started);
    write_bool(json, "opened_late", reading->opened_late);
    write_bool(json, "complete", reading->complete);
    write_number(json, "asked", reading->info.asked);
    write_number(json, "dropped", reading->info.dropped);
    json_key(json, "questions");
    json_begin(json, '[', JSON_LINES);
    for (uint32_t i = 0; i < process->row_count; i++)
        write_row(json, process, &process->rows[i]);
    json_end(json, ']');
    write_unwatched(json, reading);
    write_applied(json, reading);
    write_events(json, process);
    json_end(json, '}');
}

void trace_write_json(const struct trace *trace) {
    struct json json = {0};
    json_begin(&json, '{', JSON_LINES);
    write_number(&json, "mtlcap_trace", 1);
    json_key(&json, "mtlcap");
    json_string(&json, mtlcap_version());
    json_key(&json, "processes");
    json_begin(&json, '[', JSON_LINES);
    for (size_t i = 0; i < trace->count; i++)
        write_process(&json, &trace->processes[i]);
    json_end(&json, ']');
    json_end(&json, '}');
}
