// A project of two containers. Their images are built from the folders beside this file, on top of a small public image;
// BASE_IMAGE names another one, for instance where nothing can be pulled.
const args = { BASE: process.env.BASE_IMAGE ?? 'busybox' };

export default {
  project: { name: 'containers' },

  services: {
    prices: {
      build: { context: 'prices', args },
      ports: ['18090:8080'], // if somebody else has this port on this machine, the service gets another one
      healthcheck: { http: '/prices.txt', interval: '200ms' }, // asked from here, so the image needs no tool for it
    },

    shop: {
      build: { context: 'shop', args },
      ports: ['18091:8080'],
      environment: { PRICES_URL: 'http://prices:8080/prices.txt' }, // inside, services know each other by their names
      dependsOn: ['prices'], // starts when prices is healthy; whether shop is, its image says itself
    },
  },

  // These servers do not end when they are asked to, and have nothing to lose.
  environment: { stopTimeout: '1s' },
};
