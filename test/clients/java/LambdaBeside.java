// expect LambdaBeside.each: follows
// expect LambdaBeside.again: unknown (recursive call of again is summarised by its effects)
// expect LambdaBeside.once: follows
// expect LambdaBeside.withLambdaLater: unknown (functions made by lambda expressions in withLambdaLater are not run by clients or opaque callees in a way that changes the component)
// expect LambdaBeside.withSwap: violates next
import java.io.IOException;
import java.util.List;

class LambdaBeside {
  int each(List<String> all) {
    int[] sum = new int[1];
    all.forEach(one -> sum[0] += one.length());
    return sum[0];
  }
  void again(int n) throws IOException {
    Cursor c = new Cursor();
    if (n > 0) again(n - 1);
  }
  void once(List<String> all) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    c.next();
    each(all);
    c.close();
  }
  void withLambdaLater(List<Runnable> q) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    q.add(c::close);
    q.get(0).run();
    c.next();
  }
  void withSwap() throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    Cursor t = a;
    a = b;
    b = t;
    a.next();
  }
}
