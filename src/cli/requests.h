// From the command line to what the pipeline is asked. Everything that is wrong with the options
// alone is found here, before any source is read.
#pragma once

#include "cli/arguments.h"
#include "pipeline/enabledness.h"
#include "pipeline/request.h"

namespace tacit {

/// `tacit synth`.
Result<SynthesisRequest> synthesis_request(const CommandLine& line);

/// `tacit epa`.
Result<EnablednessRequest> enabledness_request(const CommandLine& line);

} // namespace tacit
