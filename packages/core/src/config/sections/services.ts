import * as z from 'zod';
import { whyNotAsked } from '../asked-from-here.js';
import { duration } from '../duration.js';
import { portMappings } from '../port-mapping.js';
import { size } from '../size.js';
import { commandLine } from './command-line.js';
import { controlCharacters, oneLine } from './control-characters.js';
import { imageReference } from './image-reference.js';
import { portNumber, serviceName, serviceNames } from './names.js';
import { always, exactlyOne, oneOrMore } from './presence.js';
import { text } from './text.js';
import { texts, variables } from './variables.js';
import { volume } from './volume.js';
import { wholeNumber } from './whole-number.js';

const userPart = `[^\\s:${controlCharacters}-][^\\s:${controlCharacters}]*`;

/** A user, perhaps with a group. */
const userName = () =>
  z.string().regex(new RegExp(`^${userPart}(?::${userPart})?$`), {
    error: 'expected a user such as "node", "1000" or "1000:1000"',
  });

const makeBuild = () =>
  z.union([
    text(),
    z.strictObject({
      context: text().default('.').describe("The build's folder, relative to the project's."),
      dockerfile: text().optional().describe('The Dockerfile, relative to the context.'),
      args: variables().describe('Build arguments.'),
      target: text()
        .regex(/^[A-Za-z0-9][\w.-]*$/, { error: 'expected the name of a stage' })
        .optional()
        .describe('The stage to build.'),
    }),
  ]);

const makeHealthcheck = () =>
  z
    .strictObject({
      http: z
        .string()
        .regex(/^(\/(?!\/)|https?:\/\/|\{\{)/, { error: 'must be a path such as /health or a whole URL' })
        .regex(oneLine, { error: 'must have no line breaks or control characters' })
        .optional()
        .describe('Healthy when a GET of this path or URL answers with a status below 400.'),
      tcp: portNumber()
        .optional()
        .describe('Healthy when this port of the service accepts a connection. A container must publish it.'),
      command: commandLine()
        .optional()
        .describe('Healthy when this command, run in the service, exits with 0.'),
      port: portNumber()
        .optional()
        .describe(
          "The service's own port for `http`; a container must publish it. Left out: its first TCP port.",
        ),
      interval: duration().default('1s').describe('How long to wait between two tries.'),
      timeout: duration().default('5s').describe('How long one try may take.'),
      retries: wholeNumber()
        .min(1)
        .default(10)
        .describe('How many tries in a row must fail to call it unhealthy.'),
      startPeriod: duration().default('10s').describe('Failures in this time after the start do not count.'),
    })
    .superRefine(exactlyOne('http', 'tcp', 'command'), always);

// Made when a configuration first has services: many have none, and every start would pay for it.
const makeServiceSchema = () =>
  z
    .strictObject({
      image: imageReference().optional().describe('The image to run.'),
      build: z.lazy(makeBuild).optional().describe('The folder to build an image from, or how to build it.'),
      command: commandLine()
        .optional()
        .describe(
          "With an image or a build, replaces the image's command. Alone, a process of this machine.",
        ),
      entrypoint: commandLine().optional().describe("Replaces the image's entrypoint; for containers."),
      ports: portMappings().describe(
        'Published ports in Compose syntax: "8080:3000", "8080-8090:3000", "3000/udp" or 3000.',
      ),
      environment: variables().describe('Environment variables of the service.'),
      healthcheck: makeHealthcheck()
        .optional()
        .describe('How to tell that the service is ready and well: by exactly one of http, tcp and command.'),
      dependsOn: serviceNames().describe('Services and mocks that must be ready before this one starts.'),
      restartWith: serviceNames().describe(
        'When one of these is restarted, by the guardian or by a setup, this service is restarted too.',
      ),
      oneShot: z.boolean().default(false).describe('It does its work and ends; exit code 0 means ready.'),
      vars: texts().describe('Values for tests, such as URLs; port numbers in them follow reassigned ports.'),
      volumes: z
        .array(volume())
        .prefault([])
        .describe('Volumes in Compose syntax, "data:/var/lib/data"; for containers.'),
      init: z
        .boolean()
        .optional()
        .describe(
          'Whether an init of the engine is the first process, hands signals on and reaps what was left; for containers.',
        ),
      memory: size().optional().describe('The most memory it may use; for containers.'),
      cpus: z
        .number()
        .positive()
        .optional()
        .describe('The most processors it may use, 0.5 is half of one; for containers.'),
      user: z
        .union([userName(), wholeNumber().min(0)], { error: 'expected the name or number of a user' })
        .transform(String)
        .optional()
        .describe('The user it runs as; for containers.'),
    })
    .superRefine(oneOrMore('image', 'build', 'command'), always)
    .superRefine((service, context) => {
      const refused = whyNotAsked(service);
      if (refused === undefined) return;
      const { key, message } = refused;
      context.addIssue({ code: 'custom', path: ['healthcheck', key], message });
    });

/** One service. */
const serviceSchema = z.lazy(makeServiceSchema);

/** The `services` section. */
export const servicesSchema = z
  .record(serviceName, serviceSchema)
  .prefault({})
  .describe('The services of the environment, by name. Each has an image, a build or a command.');
