import { AzureWorkload, Platform, ResourceGroup, StorageAccount, UserAssignedIdentity, Vault } from 'azimuth';
import { App, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';

const app = new App();
const image = 'registry.example.com/azimuth:0.1.0';
new Platform(app, 'azimuth', { image, version: '0.1.0', podIdentity: {}, keyVaultVolumes: {} });

const shop = new Chart(app, 'shop', { namespace: 'default' });
const [location, tenantId] = ['westeurope', '00000000-0000-0000-0000-000000000000'];
const owner = new ResourceGroup(shop, 'shop', { spec: { location } });
const identity = new UserAssignedIdentity(shop, 'web', { spec: { owner, location } });
const photos = new StorageAccount(shop, 'photos', {
  spec: { owner, location, azureName: 'shopphotos', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
});
const vault = new Vault(shop, 'vault', {
  spec: {
    ...{ owner, location, azureName: 'shop-web' },
    properties: { tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
  },
});
const pods = new Deployment(shop, 'pods', { containers: [{ image: 'registry.example.com/shop:1' }] });
AzureWorkload.of(pods)
  .use(identity)
  .canWrite(photos)
  .mount(vault, [{ type: 'secret', name: 'web' }]);
app.synth();
