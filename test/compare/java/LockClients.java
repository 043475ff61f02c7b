import java.util.concurrent.locks.ReentrantLock;

/** Clients of a lock: taken and given back in turn, kept by nobody. */
public class LockClients {
    interface Work {
        int run();
    }

    /* right */
    public int guarded(Work work) {
        ReentrantLock l = new ReentrantLock();
        l.lock();
        try {
            return work.run();
        } finally {
            l.unlock();
        }
    }

    /* wrong: taken twice */
    public int takenTwice(boolean again) {
        ReentrantLock l = new ReentrantLock();
        l.lock();
        if (again) l.lock();
        l.unlock();
        return 0;
    }

    /* wrong: given back on one path, and given back again */
    public int givenTwice(Work work) {
        ReentrantLock l = new ReentrantLock();
        l.lock();
        try {
            if (work.run() < 0) l.unlock();
        } finally {
            l.unlock();
        }
        return 0;
    }

    /* wrong: an early return keeps it */
    public int kept(Work work) {
        ReentrantLock l = new ReentrantLock();
        l.lock();
        if (work.run() < 0) return -1;
        l.unlock();
        return 0;
    }

    /* right: tried, and given back only if that worked */
    public int tried(Work work) {
        ReentrantLock l = new ReentrantLock();
        if (!l.tryLock()) return -1;
        try {
            return work.run();
        } finally {
            l.unlock();
        }
    }

    /* wrong: the result of the trial is read the wrong way round */
    public int triedWrong(Work work) {
        ReentrantLock l = new ReentrantLock();
        if (l.tryLock()) return -1;
        try {
            return work.run();
        } finally {
            l.unlock();
        }
    }

    /* right: taken and given in a loop */
    public int often(Work work, int n) {
        ReentrantLock l = new ReentrantLock();
        for (int i = 0; i < n; i++) {
            l.lock();
            try {
                work.run();
            } finally {
                l.unlock();
            }
        }
        return 0;
    }

    /* wrong: given back once, after a loop that takes it each time */
    public int oftenTaken(Work work, int n) {
        ReentrantLock l = new ReentrantLock();
        for (int i = 0; i < n; i++) {
            l.lock();
            work.run();
        }
        l.unlock();
        return 0;
    }

    /* right: two locks */
    public int both(Work work) {
        ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
        a.lock();
        try {
            b.lock();
            try {
                return work.run();
            } finally {
                b.unlock();
            }
        } finally {
            a.unlock();
        }
    }

    /* wrong: the other one is given back */
    public int other(Work work) {
        ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
        a.lock();
        try {
            return work.run();
        } finally {
            b.unlock();
        }
    }
}
