import org.junit.jupiter.api.Test;

/** Runs the tests of a class as JUnit does, each on an instance of its own. */
class RunTests {
  public static void main(String[] names) throws Exception {
    var type = Class.forName(names[0]);
    var count = 0;
    for (var method : type.getDeclaredMethods()) {
      if (!method.isAnnotationPresent(Test.class)) continue;
      method.setAccessible(true);
      var constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      method.invoke(constructor.newInstance());
      count += 1;
    }
    System.out.println(count + " passed");
  }
}
