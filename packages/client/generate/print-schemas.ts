/** A JSON Schema, as the OpenAPI document has it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: boolean | Schema;
  prefixItems?: Schema[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

/** Prints schemas as TypeScript. Each component that a printed schema refers to is printed once, under its name. */
export interface TypePrinter {
  type(schema: Schema, indent?: string): string;
  /** Follows references. */
  resolve(schema: Schema): Schema;
  /** The declarations of all components that were referred to so far. */
  declarations(): string[];
}

const PREFIX = '#/components/schemas/';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export const docComment = (text: string | undefined, indent = ''): string => {
  if (!text) return '';
  const lines = text.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
};

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`
    : JSON.stringify(value);

/** True if a type is a union or intersection; operators within braces, brackets, strings and comments do not count. */
function isCompound(type: string): boolean {
  const bare = type.replaceAll(/\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'/g, '');
  let depth = 0;
  for (const char of bare) {
    if ('{[(<'.includes(char)) depth++;
    if ('}])>'.includes(char)) depth--;
    if (depth === 0 && (char === '|' || char === '&')) return true;
  }
  return false;
}

/** In parentheses if an operator that binds more tightly follows. */
const grouped = (type: string): string => (isCompound(type) ? `(${type})` : type);

const PRIMITIVES: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

export function printTypes(components: Schemas): TypePrinter {
  const used = new Set<string>();
  const printed = new Map<string, string>();

  const nameOf = ($ref: string) => $ref.slice(PREFIX.length);

  function componentOf($ref: string): Schema {
    const component = components[nameOf($ref)];
    if (!component) throw new Error(`The document has no component ${$ref}.`);
    return component;
  }

  function type(schema: Schema, indent = ''): string {
    if (schema.$ref !== undefined) {
      used.add(nameOf(schema.$ref));
      return pascal(nameOf(schema.$ref));
    }
    if ('const' in schema) return literal(schema.const);
    if (schema.enum) return schema.enum.map(literal).join(' | ');
    const { anyOf, oneOf, allOf, ...own } = schema;
    const branches = anyOf ?? oneOf;
    if (branches) {
      const union = [...new Set(branches.map((branch) => type(branch, indent)))].join(' | ');
      return own.properties ? `${object(own, indent)} & ${grouped(union)}` : union;
    }
    if (allOf) {
      const parts = allOf.map((part) => grouped(type(part, indent)));
      return (own.properties ? [object(own, indent), ...parts] : parts).join(' & ');
    }
    if (Array.isArray(own.type))
      return own.type.map((one) => type({ ...own, type: one }, indent)).join(' | ');
    if (own.type === 'array') return array(own, indent);
    if (own.type === 'object' || own.properties) return object(own, indent);
    return (own.type !== undefined && PRIMITIVES[own.type]) || 'unknown';
  }

  function array({ items, prefixItems }: Schema, indent: string): string {
    if (prefixItems) return `[${prefixItems.map((item) => type(item, indent)).join(', ')}]`;
    const item = typeof items === 'object' ? type(items, indent) : 'unknown';
    return `${grouped(item)}[]`;
  }

  function object({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
    const fields = Object.entries(properties);
    const others =
      typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
        ? type(additionalProperties, indent)
        : additionalProperties
          ? 'unknown'
          : undefined;
    if (fields.length === 0) {
      return others === undefined && additionalProperties === false
        ? 'Record<string, never>'
        : `Record<string, ${others ?? 'unknown'}>`;
    }
    const inner = `${indent}  `;
    const lines = fields.map(([name, schema]) => {
      const key = IDENTIFIER.test(name) ? name : literal(name);
      const isOptional = !required.includes(name);
      return `${docComment(schema.description, inner)}${inner}${key}${isOptional ? '?' : ''}: ${type(schema, inner)};\n`;
    });
    // The declared fields need not have the type of the others.
    if (others !== undefined) lines.push(`${inner}[key: string]: unknown;\n`);
    return `{\n${lines.join('')}${indent}}`;
  }

  function declare(name: string): string {
    const component = componentOf(PREFIX + name);
    const comment = docComment(component.description);
    const body = type(component);
    const isObject =
      /^\{\n[\s\S]*\n\}$/.test(body) && component.properties && !component.anyOf && !component.oneOf;
    return isObject
      ? `${comment}export interface ${pascal(name)} ${body}\n`
      : `${comment}export type ${pascal(name)} = ${body};\n`;
  }

  return {
    type,
    resolve(schema) {
      return schema.$ref === undefined ? schema : this.resolve(componentOf(schema.$ref));
    },
    declarations() {
      for (let before = -1; before < printed.size; ) {
        before = printed.size;
        for (const name of [...used]) if (!printed.has(name)) printed.set(name, declare(name));
      }
      return [...printed.keys()].sort().map((name) => printed.get(name)!);
    },
  };
}
