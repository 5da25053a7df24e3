/* API_AVAILABLE and its family, where Apple's headers look for them. */
#include <Availability.h>
