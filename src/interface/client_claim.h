// What a result proves about a client, when its component is a client together with an interface
// program (client/conformance.h): the result's calls are functions of the client, and one that is
// allowed is never refused anything.
#pragma once

#include <string>
#include <vector>

namespace tacit {

struct ClientClaim {
  std::string function; // as the source calls it
  std::string call;     // what it is in the result
  std::string
      entered; // how, where that makes a difference: `it is handed s in state 0`; may be empty
  bool always = true; // in every state of the result; else in some
};

struct ClientClaims {
  std::string protocol; // the component whose protocol is followed
  std::vector<ClientClaim> follow;
};

} // namespace tacit
