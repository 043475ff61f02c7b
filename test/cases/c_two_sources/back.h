int check(int);
