class Signature {
public:
  void sign() {}
};
