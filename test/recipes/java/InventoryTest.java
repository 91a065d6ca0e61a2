import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InventoryTest {
  private static final String URL = System.getenv("PETSTORE_MOCK_URL");

  // JUnit makes an instance for each test, and so each test has a sandbox of its own.
  private final String key = System.getenv("PETSTORE_MOCK_API_KEY") + "~" + UUID.randomUUID();
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void anArrivalIsBooked() throws Exception {
    var response = send("PATCH", "/inventory/1", "{\"quantity\":20}");

    assertEquals(200, response.statusCode());
    assertEquals("{\"petId\":1,\"quantity\":20,\"status\":\"available\"}", response.body());
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(URL + path))
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body))
        .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
