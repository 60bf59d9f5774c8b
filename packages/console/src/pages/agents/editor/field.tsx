import type { ReactNode } from 'react';
import { SelectInput, SwitchInput, TextInput } from '../../../ui/field.tsx';
import styles from './editor.module.css';
import { EntriesField } from './entries-field.tsx';
import { useForm } from './form-state.ts';
import { JsonField } from './json-field.tsx';
import { isFields, valueAt } from './json-path.ts';
import { LinesField, MultiselectField, PairsField } from './list-fields.tsx';
import { problemAt } from './problems.ts';
import { defaultSwitch, type Field, fieldsOf, isShown, titleOf, widgetOf } from './schema.ts';
import { SecretField } from './secret-field.tsx';

/** The fields that apply with the present values of others. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  const { root } = useForm();
  return fields
    .filter((field) => isShown(field, root))
    .map((field) => <FieldOf key={field.path.join('.')} field={field} />);
}

const UNSET = 'default';

function Group({ field }: { field: Field }) {
  const { problems } = useForm();
  const { node, path, name } = field;
  const fields = fieldsOf(node, path);
  const problem = problemAt(problems, path, false);
  // Strategies without options would be empty frames.
  if (fields.length === 0 && !problem) return null;
  return (
    <fieldset className={styles.group}>
      <legend>{titleOf(name, node)}</legend>
      {node.description && <p className={styles.hint}>{node.description}</p>}
      {problem && <p className={styles.problem}>{problem}</p>}
      <Fields fields={fields} />
    </fieldset>
  );
}

/** One field, by the widget of its schema. */
export function FieldOf({ field }: { field: Field }): ReactNode {
  const { root, problems, change, isReadOnly } = useForm();
  const { node, path, name, isRequired } = field;
  const value = valueAt(root, path);
  const widget = widgetOf(node);
  const common = {
    label: titleOf(name, node),
    hint: node.description,
    error: problemAt(problems, path, true),
    isDisabled: isReadOnly,
  };
  const textual = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  switch (widget) {
    case 'group':
      return <Group field={field} />;
    case 'variant':
      return <VariantField field={field} />;
    case 'entries':
      return <EntriesField field={field}>{(fields) => <Fields fields={fields} />}</EntriesField>;
    case 'lines':
      return <LinesField field={field} />;
    case 'multiselect':
      return <MultiselectField field={field} />;
    case 'pairs':
      return <PairsField field={field} />;
    case 'secret':
      return <SecretField field={field} />;
    case 'json':
      return <JsonField field={field} />;
    case 'checkbox':
      return <CheckField field={field} />;
    case 'select':
      return (
        <SelectInput
          {...common}
          choices={[
            ...(isRequired ? [] : [{ id: UNSET, label: defaultLabel(node.default) }]),
            ...(node.enum ?? []).map((id) => ({ id, label: id })),
          ]}
          value={textual || (isRequired ? undefined : UNSET)}
          onChange={(chosen) => change(path, chosen === UNSET ? undefined : chosen)}
        />
      );
    case 'number':
      return (
        <TextInput
          {...common}
          value={textual}
          placeholder={node.default === undefined ? '' : String(node.default)}
          onChange={(text) => change(path, numberOf(text))}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          value={textual}
          {...(widget === 'textarea' && { rows: name === 'description' ? 2 : 6 })}
          onChange={(text) => change(path, text === '' ? undefined : text)}
        />
      );
  }
}

const defaultLabel = (value: unknown): string =>
  value === undefined ? 'Default' : `Default (${String(value)})`;

/** The number of a text; a text that is none is kept as it was typed, and the service says what is wrong with it. */
const numberOf = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
};

function CheckField({ field: { node, path, name, isRequired } }: { field: Field }) {
  const { root, problems, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  const whileUnset = defaultSwitch(node);
  const problem = problemAt(problems, path, true);
  return (
    <div className={styles.check}>
      <SwitchInput
        isSelected={typeof value === 'boolean' ? value : whileUnset}
        isDisabled={isReadOnly}
        onChange={(next) => change(path, next === whileUnset && !isRequired ? undefined : next)}
      >
        {titleOf(name, node)}
      </SwitchInput>
      {node.description && <p className={styles.hint}>{node.description}</p>}
      {problem && <p className={styles.problem}>{problem}</p>}
    </div>
  );
}

const NONE = 'none';

/** An object whose `type` decides which other fields it has, such as credentials. */
function VariantField({ field: { node, path, name } }: { field: Field }) {
  const { root, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  const type = isFields(value) ? String(value.type ?? '') : '';
  const variants = node.oneOf ?? [];
  const nameOf = (index: number): string => String(variants[index]?.properties?.type?.const);
  const chosen = variants.find((_, index) => nameOf(index) === type);
  return (
    <fieldset className={styles.group}>
      <legend>{titleOf(name, node)}</legend>
      <SelectInput
        label="Type"
        isDisabled={isReadOnly}
        choices={variants.map((_, index) => ({ id: nameOf(index), label: nameOf(index) }))}
        value={type || NONE}
        onChange={(next) => change(path, { type: next })}
      />
      {chosen && <Fields fields={fieldsOf(chosen, path).filter((one) => one.name !== 'type')} />}
    </fieldset>
  );
}
