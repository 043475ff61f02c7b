// expect Container.run: unknown (elements of containers are not followed)
import java.io.IOException;

public class Container {
  static boolean run(java.util.List<Cursor> list) {
    return list.get(0).next();
  }
}
