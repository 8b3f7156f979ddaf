import { ArgusError } from '../model/argus-error.js';
import { pluginInvalid } from '../model/core-error-codes.js';

/** What a registration hook hands to plugins. */
export interface Registrar<Item> {
  /** Registers an item in the name of the plugin whose tap is running. */
  add(item: Item): void;
}

/** What everybody else sees of a registry. */
export interface ReadonlyRegistry<Item> {
  /** The item of that name. */
  get(name: string): Item | undefined;
  /** Whether there is an item of that name. */
  has(name: string): boolean;
  /** The plugin that registered the item. */
  ownerOf(name: string): string | undefined;
  /** In the order of registration. */
  values(): readonly Item[];
  /** The names in the order of registration. */
  names(): readonly string[];
}

/** What a registry must know about the items it keeps. */
export interface RegistryRules<Item> {
  /** What one item is called in messages: `checker`. */
  readonly kind: string;
  nameOf(item: Item): string;
  /** What is wrong with an item, or nothing. */
  problemOf(item: Item, owner: string): string | undefined;
}

/** Keeps items by name with their owners, and accepts none after it was frozen. */
export class Registry<Item> implements Registrar<Item>, ReadonlyRegistry<Item> {
  readonly #rules: RegistryRules<Item>;
  readonly #items = new Map<string, { item: Item; owner: string }>();
  #owner: string | undefined;
  #frozen = false;

  constructor(rules: RegistryRules<Item>) {
    this.#rules = rules;
  }

  /** Says in whose name the following items are added. */
  addingFor(owner: string): this {
    this.#owner = owner;
    return this;
  }

  add(item: Item): void {
    const owner = this.#owner ?? 'core';
    const { kind, nameOf, problemOf } = this.#rules;
    if (this.#frozen) {
      throw invalid(owner, `registers a ${kind} after the kernel was assembled; do it in the ${kind}s hook`);
    }
    const problem = problemOf(item, owner);
    if (problem !== undefined) throw invalid(owner, problem);
    const name = nameOf(item);
    const earlier = this.#items.get(name);
    if (earlier) throw invalid(owner, clash(kind, name, earlier.owner, owner));
    this.#items.set(name, { item, owner });
  }

  get(name: string): Item | undefined {
    return this.#items.get(name)?.item;
  }

  has(name: string): boolean {
    return this.#items.has(name);
  }

  ownerOf(name: string): string | undefined {
    return this.#items.get(name)?.owner;
  }

  values(): readonly Item[] {
    return [...this.#items.values()].map(({ item }) => item);
  }

  names(): readonly string[] {
    return [...this.#items.keys()];
  }

  /** Accepts nothing from now on. */
  freeze(): void {
    this.#frozen = true;
  }
}

function clash(kind: string, name: string, first: string, second: string): string {
  if (first === second) return `registers the ${kind} ${name} twice`;
  return `the ${kind} ${name} is registered by two plugins: ${first} and ${second}`;
}

function invalid(plugin: string, problem: string): ArgusError {
  return new ArgusError(pluginInvalid, {
    message: `Plugin ${plugin}: ${problem}`,
    details: { plugin, problems: [problem] },
  });
}
