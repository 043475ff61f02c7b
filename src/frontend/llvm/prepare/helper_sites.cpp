#include "frontend/llvm/facts/helper_sites.h"

#include <set>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace tacit {

namespace {

std::string line_of(const llvm::DILocation& place) {
  return to_string(Location{place.getFilename().str(), static_cast<int>(place.getLine()), 0});
}

llvm::StringRef name_of(const llvm::DILocation& place) {
  const llvm::DISubprogram* function = place.getScope()->getSubprogram();
  return function ? function->getName() : llvm::StringRef();
}

} // namespace

std::vector<HelperSite> helper_sites(const llvm::Module& code) {
  std::set<HelperSite> found;
  for (const llvm::Function& function : code)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* site = instruction.getDebugLoc();
      if (!llvm::isa<llvm::CallBase>(instruction) || !site || !site->getInlinedAt()) continue;
      std::vector<const llvm::DILocation*> way;
      for (const llvm::DILocation* at = site; at; at = at->getInlinedAt()) way.push_back(at);
      const llvm::DISubprogram* method = way.back()->getScope()->getSubprogram();
      // Constructors have a variant that calls the one with their code.
      while (way.size() > 1 && method && name_of(*way[way.size() - 2]) == method->getName())
        way.pop_back();
      const llvm::DILocation* outermost = way.back();
      for (; method && site != outermost; site = site->getInlinedAt())
        if (const llvm::DISubprogram* helper = site->getScope()->getSubprogram())
          found.insert({method->getName().str(), line_of(*site), line_of(*outermost),
                        helper->getName().str()});
    }
  return {found.begin(), found.end()};
}

} // namespace tacit
