// A signature that is first set up for signing or for verifying.
#include <stdexcept>

class SignatureException : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

class Signature {
public:
  Signature() = default;

  void initSign(int key) {
    key_ = key;
    mode_ = Mode::Sign;
  }

  void initVerify(int key) {
    key_ = key;
    mode_ = Mode::Verify;
  }

  int sign() {
    require(mode_ == Mode::Sign, "not set up for signing");
    return digest_ * key_;
  }

  bool verify(int signature) {
    require(mode_ == Mode::Verify, "not set up for verifying");
    return signature == digest_ * key_;
  }

  void update(unsigned char byte) {
    switch (mode_) {
    case Mode::Sign:
    case Mode::Verify: digest_ += byte; break;
    default: throw SignatureException("not set up");
    }
  }

private:
  enum class Mode { Uninitialized, Sign, Verify };

  static void require(bool condition, const char* what) {
    if (!condition) throw SignatureException(what);
  }

  Mode mode_ = Mode::Uninitialized;
  int key_ = 0;
  int digest_ = 0;
};
