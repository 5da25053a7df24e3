/* The library in a few lines. */
#include <mtlcap/mtlcap.h>
#include <stdio.h>

static void ask(const char *capability) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    if (mtlcap_query(NULL, capability, &answer) == MTLCAP_OK)
        printf("%s: %s (stock: %s)\n", capability, answer.effective.text, answer.stock.text);
}

int main(void) {
    if (mtlcap_apply_profile("auto", NULL) != MTLCAP_OK) /* before the first Metal client asks */
        fprintf(stderr, "%s\n", mtlcap_last_error());
    ask("apple");

    struct mtlcap_error error = MTLCAP_ERROR_INIT;
    if (mtlcap_apply_profile("apple.min=9", NULL) != MTLCAP_OK) { /* what was in force stays */
        mtlcap_last_error_info(&error);
        printf("refused: %s (%d)\n", error.hazard, error.status);
    }

    mtlcap_restore(); /* stock answers, for every caller */
    ask("apple");
}
