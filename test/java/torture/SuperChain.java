// super chains
class SuperChainBase { protected int n; public void open() { if (n != 0) throw new IllegalStateException(); n = 1; } protected void hook() { n = 9; } public void close() { hook(); } }
class SuperChainMid extends SuperChainBase { public void open() { super.open(); n++; } protected void hook() { super.hook(); n = n - 9; } }
public class SuperChain extends SuperChainMid { public void open() { super.open(); if (n != 2) throw new IllegalStateException(); n = 3; } public void use() { if (n < 3) throw new IllegalStateException(); } }
