/* Asks every device for every capability that the library knows. */
#include <stdio.h>

#include <mtlcap/mtlcap.h>

static void print_capabilities(void *device) {
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = MTLCAP_CAPABILITY_INIT;
        mtlcap_capability_info(i, &capability);

        struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
        int status = mtlcap_query(device, capability.key, &answer);
        if (status == MTLCAP_OK)
            printf("  %-32s %s %s\n", capability.key, answer.effective.text, capability.unit);
        else
            printf("  %-32s (%s)\n", capability.key, mtlcap_strerror(status));
    }
}

int main(void) {
    uint32_t count = 0;
    if (mtlcap_device_count(&count) != MTLCAP_OK) {
        fprintf(stderr, "capabilities: %s\n", mtlcap_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct mtlcap_device device = MTLCAP_DEVICE_INIT;
        if (mtlcap_device_info(i, &device) != MTLCAP_OK) {
            fprintf(stderr, "capabilities: %s\n", mtlcap_last_error());
            return 1;
        }
        printf("%s (%s%s)\n", device.name, device.class_name,
               device.paravirtual ? ", paravirtual" : "");
        print_capabilities(device.device);
    }
    return 0;
}
