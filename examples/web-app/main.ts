import { AzureWorkload, Platform, ResourceGroup, StorageAccount, UserAssignedIdentity } from 'azimuth';
import { App, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';

const app = new App();
new Platform(app, 'azimuth', { image: 'registry.example.com/azimuth:0.1.0', version: '0.1.0', podIdentity: {} });

const shop = new Chart(app, 'shop', { namespace: 'shop' });
const location = 'westeurope';
const owner = new ResourceGroup(shop, 'shop-web', { spec: { location } });
const identity = new UserAssignedIdentity(shop, 'web', { spec: { owner, location } });
const photos = new StorageAccount(shop, 'photos', {
  spec: { owner, location, azureName: 'shopphotos', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
});
const web = new Deployment(shop, 'pods', {
  containers: [
    {
      image: 'registry.example.com/web:1',
      portNumber: 8080,
      envVariables: { BLOB_ENDPOINT: photos.export('blobEndpoint').envValue },
    },
  ],
});
AzureWorkload.of(web).use(identity).canWrite(photos);
app.synth();
