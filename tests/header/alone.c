/* The public header with nothing before it, and twice. */
#include <mtlcap/mtlcap.h>
#include <mtlcap/mtlcap.h>

int main(void);

int main(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    return answer.struct_size == sizeof answer && mtlcap_version_number() == MTLCAP_VERSION_NUMBER
               ? MTLCAP_OK
               : MTLCAP_E_VERSION;
}
