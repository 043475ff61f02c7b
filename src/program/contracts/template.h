// What is done to a template once its text is read.
#pragma once

#include "program/contracts/contract.h"

namespace tacit {

/// Puts the bodies of helpers, which several contracts share, in place of their calls, so that the
/// template calls nothing but hooks; finds the facts and exceptions that it mentions. Fails on
/// helpers that call themselves, on an argument whose facts a helper needs but the contract does
/// not keep, and on what no contract may say.
Result<void> finish_template(Contract& contract, const std::vector<Contract>& helpers);

} // namespace tacit
