import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.json.JsonProviders;

/** Asks azure-identity for a token. Arguments: `default` or `managed`, and a client id or ''. */
public class Chain {
  public static void main(String[] args) throws Exception {
    String clientId = args[1].isEmpty() ? null : args[1];
    TokenCredential credential =
        args[0].equals("default")
            ? new DefaultAzureCredentialBuilder().managedIdentityClientId(clientId).build()
            : new ManagedIdentityCredentialBuilder().clientId(clientId).build();
    long started = System.nanoTime();
    String text = "token";
    try {
      credential.getToken(new TokenRequestContext().addScopes("https://vault.azure.net/.default")).block();
    } catch (RuntimeException error) {
      text = String.valueOf(error.getMessage());
      for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) text += "; " + cause.getMessage();
    }
    var out = new java.io.StringWriter();
    try (var json = JsonProviders.createWriter(out)) {
      json.writeStartObject().writeLongField("ms", (System.nanoTime() - started) / 1_000_000).writeStringField("text", text);
      json.writeEndObject();
    }
    System.out.println(out);
    System.exit(0);
  }
}
