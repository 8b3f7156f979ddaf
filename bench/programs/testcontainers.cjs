// Brings up containers of an image in a network of their own with testcontainers, says so, and takes them down when it is
// told to: `testcontainers.cjs FILE COUNT IMAGE COMMAND…`, FILE being that of the library.
const [file, count, image, ...command] = process.argv.slice(2);
const { GenericContainer, Network } = require(file);

async function main() {
  const network = await new Network().start();
  const start = () => new GenericContainer(image).withCommand(command).withNetwork(network).start();
  const containers = await Promise.all(Array.from({ length: Number(count) }, start));
  process.send('up');
  process.once('message', async () => {
    await Promise.all(containers.map((one) => one.stop({ timeout: 0 })));
    await network.stop();
    process.exit();
  });
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
