/* The public header with nothing before it, and twice; each of its macros used. */
#include <mtlcap/mtlcap.h>

int main(void);

int main(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    struct mtlcap_capability capability = MTLCAP_CAPABILITY_INIT;
    struct mtlcap_change change = MTLCAP_CHANGE_INIT;
    struct mtlcap_device device = MTLCAP_DEVICE_INIT;
    struct mtlcap_error error = MTLCAP_ERROR_INIT;
    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    struct mtlcap_finding finding = MTLCAP_FINDING_INIT;
    struct mtlcap_hazard hazard = MTLCAP_HAZARD_INIT;
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    struct mtlcap_profile profile = MTLCAP_PROFILE_INIT;
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    struct mtlcap_rule rule = MTLCAP_RULE_INIT;

    size_t size = answer.struct_size + capability.struct_size + change.struct_size +
                  device.struct_size + error.struct_size + explanation.struct_size +
                  finding.struct_size + hazard.struct_size + machine.struct_size +
                  options.struct_size + profile.struct_size + report.struct_size + rule.struct_size;
    return size != 0 && mtlcap_version_number() == MTLCAP_VERSION_NUMBER ? MTLCAP_OK
                                                                         : MTLCAP_E_VERSION;
}
