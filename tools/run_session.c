/* A run of a program with the library in it, step by step. */
#include <stdlib.h>

#include "command.h"
#include "output.h"
#include "run.h"

static int check_obstacle(struct session *session) {
    char obstacle[1024];
    bool *told = &session->confirmation.told;
    *told = program_obstacle(&session->program, &session->injection, obstacle, sizeof obstacle);
    if (!*told)
        return CODE_OK;
    complain("%s", obstacle);
    const char *asked = injection_assertion(&session->injection);
    if (asked == NULL)
        return CODE_OK;
    complain_more("It is not started: %s", asked);
    return CODE_INTERNAL;
}

int session_prepare(struct session *session, char *const *arguments) {
    session->confirmation.injection = &session->injection;
    session->confirmation.program = &session->program;
    int code = injection_complete(&session->injection);
    if (code == CODE_OK)
        code = program_find(arguments, environment_own(), &session->program);
    return code == CODE_OK ? check_obstacle(session) : code;
}

static void apply_settings(struct program *program, const struct injection *injection,
                           const char *receipt) {
    struct setting *settings = injection_settings(injection, &program->environment);
    for (const struct setting *setting = settings; setting->name != NULL; setting++)
        environment_set(&program->environment, setting->name, setting->value);
    char *optional = joined("?", receipt, NULL); /* it is missed here, and not in a daemon */
    environment_set(&program->environment, "MTLCAP_RECEIPT", optional);
    free(optional);
    settings_free(settings);
}

int session_open(struct session *session) {
    struct receipts *receipts = &session->confirmation.receipts;
    int code = receipts_start(receipts, session->injection.receipt);
    int signal_number = start_pending_signal();
    if (signal_number != 0) {
        receipts_clean(receipts);
        return start_end_by(signal_number);
    }
    if (code == CODE_OK)
        apply_settings(&session->program, &session->injection, receipts->pattern);
    return code;
}

int session_run(struct session *session, unsigned milliseconds,
                void (*look)(pid_t process, void *context), void *context) {
    session->started = program_start(&session->program, milliseconds, look, context);
    return session->started.code;
}

int session_end(const struct session *session, bool confirmed) {
    const char *asked = injection_assertion(&session->injection);
    if (!confirmed && asked != NULL) {
        complain("%s: not confirmed", asked);
        return CODE_INTERNAL;
    }
    return start_end_as(session->started.status);
}

void session_clean(struct session *session) {
    receipts_clean(&session->confirmation.receipts);
}

void session_free(struct session *session) {
    receipts_free(&session->confirmation.receipts);
    if (session->program.asked != NULL) /* it was looked for */
        program_free(&session->program);
    injection_free(&session->injection);
}
