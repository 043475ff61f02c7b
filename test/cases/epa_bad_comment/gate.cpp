class Gate {
public:
  // @requires !opened
  void open() { opened_ = true; }

private:
  bool opened_ = false;
};
