import * as z from 'zod';
import { duration } from '../duration.js';
import { type PortMapping, parsePorts } from '../port-mapping.js';
import { reasonOf } from '../reason.js';
import { commandLine } from './command-line.js';
import { imageReference } from './image-reference.js';
import { portNumber, serviceName } from './names.js';
import { always, exactlyOne } from './presence.js';
import { headers, texts, variables } from './variables.js';
import { wholeNumber } from './whole-number.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ANY'] as const;

const makeRoute = () =>
  z.strictObject({
    method: z.enum(methods).default('GET').describe('The request method; ANY answers all of them.'),
    path: z.string().startsWith('/', { error: 'must start with a slash' }).describe('The path to answer.'),
    response: z
      .strictObject({
        status: wholeNumber().min(100).max(599).default(200).describe('The status code.'),
        headers: headers().describe('Response headers.'),
        body: z.json().optional().describe('The body; anything but text is sent as JSON.'),
        delay: duration().default('0ms').describe('How long to wait before answering.'),
      })
      .prefault({})
      .describe('What to answer.'),
  });

/** One port in Compose's syntax. */
function onePort(text: string): PortMapping {
  const [port, ...others] = parsePorts(text);
  if (port === undefined || others.length > 0)
    throw new Error(`${JSON.stringify(text)} stands for several ports, and a mock has one`);
  return port;
}

const whyNot = (text: string) => {
  try {
    onePort(text);
    return '';
  } catch (error) {
    return reasonOf(error);
  }
};

const makePort = () =>
  z.union(
    [
      portNumber(),
      z
        .string()
        .refine((text) => whyNot(text) === '')
        .transform(onePort),
    ],
    {
      error: ({ input }) =>
        typeof input === 'string'
          ? whyNot(input)
          : 'expected a port such as 8080, or a mapping such as "8080:80"',
    },
  );

// Made when a configuration first has mocks: many have none, and every start would pay for it.
const mock = z.lazy(() =>
  z
    .strictObject({
      port: makePort()
        .optional()
        .describe(
          'The port to listen on; needed with routes. With an image also in Compose syntax: "8080:80" or "80".',
        ),
      routes: z.array(makeRoute()).optional().describe('What argus itself answers on that port.'),
      image: imageReference().optional().describe('The image of a mock that brings its own server.'),
      command: commandLine().optional().describe("Replaces the image's command; for a mock with an image."),
      environment: variables().describe('Environment variables, for a mock with an image.'),
      vars: texts().describe('Values for tests, such as URLs; port numbers in them follow reassigned ports.'),
    })
    .superRefine(exactlyOne('routes', 'image'), always)
    .refine(({ routes, port }) => routes === undefined || port !== undefined, {
      error: 'a mock with routes needs a port',
      ...always,
    })
    .superRefine(({ routes, port, command }, context) => {
      if (routes === undefined) return;
      const refuse = (key: string, message: string) =>
        context.addIssue({ code: 'custom', path: [key], message });
      if (typeof port === 'object')
        refuse('port', 'a mock with routes listens on it itself: expected a number such as 8080');
      if (command !== undefined) refuse('command', 'is for a mock with an image, not for one with routes');
    }, always),
);

/** The `mocks` section. */
export const mocksSchema = z
  .record(serviceName, mock)
  .prefault({})
  .describe(
    'Stand-ins for services that are not part of the environment, by name. Each has routes or an image.',
  );
