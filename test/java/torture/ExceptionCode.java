/// Constructors and methods of exceptions are code like any other.
public class ExceptionCode {
    static class Bad extends RuntimeException {
        private final ExceptionCode owner;

        Bad(ExceptionCode owner, int k) {
            if (k > 1) throw new ArithmeticException();
            this.owner = owner;
            owner.state = 1;
        }

        @Override public String getMessage() { owner.state = 2; return ""; }
    }

    private int state;

    public void make() { try { throw new Bad(this, 0); } catch (Bad b) { } }
    public void ask() { try { throw new Bad(this, 1); } catch (RuntimeException b) { b.getMessage(); } }
    public void fail() { try { throw new Bad(this, 2); } catch (ArithmeticException b) { state = 3; } }
    public void first() { if (state == 1) throw new IllegalStateException(); }
    public void second() { if (state == 2) throw new IllegalStateException(); }
    public void third() { if (state == 3) throw new IllegalStateException(); }
}
