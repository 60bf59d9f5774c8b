import { Check, ChevronDown, Minus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button,
  Checkbox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Radio,
  RadioGroup,
  SearchField,
  Select,
  SelectValue,
  Switch,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';
import styles from './field.module.css';
import menuStyles from './menu.module.css';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  isOptional?: boolean;
  isDisabled?: boolean;
  name?: string;
}

const Caption = ({ label, isOptional }: Pick<FieldProps, 'label' | 'isOptional'>) => (
  <Label className={styles.label ?? ''}>
    {label} {isOptional && <span className={styles.optional}>(optional)</span>}
  </Label>
);

const Notes = ({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) => (
  <>
    {hint && !error && (
      <Text slot="description" className={styles.hint ?? ''}>
        {hint}
      </Text>
    )}
    <FieldError className={styles.error ?? ''}>{error}</FieldError>
  </>
);

export function TextInput({
  label,
  hint,
  error,
  isOptional,
  value,
  onChange,
  type = 'text',
  placeholder,
  isMono,
  autoFocus,
  autoComplete = 'off',
  rows,
  ...rest
}: FieldProps & {
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'email' | 'url' | 'password' | 'number';
  placeholder?: string;
  isMono?: boolean;
  autoFocus?: boolean;
  autoComplete?: string;
  /** Several lines if given. */
  rows?: number;
}) {
  // Addresses and code read from left to right in every language.
  const direction = (isMono || type === 'url' || type === 'email') && { dir: 'ltr' };
  const className = [styles.input, rows && styles.area, isMono && styles.mono].filter(Boolean).join(' ');
  return (
    <TextField
      {...rest}
      className={styles.field ?? ''}
      type={type}
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined}
      autoFocus={autoFocus ?? false}
      autoComplete={autoComplete}
    >
      <Caption label={label} isOptional={isOptional ?? false} />
      {rows ? (
        <TextArea className={className} rows={rows} placeholder={placeholder} {...direction} />
      ) : (
        <Input className={className} placeholder={placeholder} {...direction} />
      )}
      <Notes hint={hint} error={error} />
    </TextField>
  );
}

export interface Choice<K extends string = string> {
  id: K;
  label: string;
  hint?: string;
}

export function SelectInput<K extends string>({
  label,
  hint,
  error,
  isOptional,
  isLabelHidden,
  choices,
  value,
  onChange,
  placeholder = 'Choose',
  ...rest
}: FieldProps & {
  choices: readonly Choice<K>[];
  value: K | undefined;
  onChange: (value: K) => void;
  placeholder?: string;
  isLabelHidden?: boolean;
}) {
  return (
    <Select
      {...rest}
      className={styles.field ?? ''}
      selectedKey={value ?? null}
      onSelectionChange={(key) => key !== null && onChange(key as K)}
      placeholder={placeholder}
      isInvalid={error !== undefined}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Caption label={label} isOptional={isOptional ?? false} />}
      <Button className={styles.select ?? ''}>
        <SelectValue className={styles.value ?? ''}>
          {({ selectedText, isPlaceholder }) => (isPlaceholder ? placeholder : selectedText)}
        </SelectValue>
        <ChevronDown size={16} aria-hidden />
      </Button>
      <Notes hint={hint} error={error} />
      <Popover className={menuStyles.popover ?? ''} offset={4}>
        <ListBox className={menuStyles.list ?? ''} items={choices}>
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.label} className={menuStyles.item ?? ''}>
              <Text slot="label">{choice.label}</Text>
              {choice.hint && (
                <Text slot="description" className={menuStyles.hint ?? ''}>
                  {choice.hint}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}

export function SearchInput({
  label,
  value,
  onChange,
  placeholder = label,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
}) {
  return (
    <SearchField aria-label={label} className={styles.search ?? ''} value={value} onChange={onChange}>
      <Search size={16} aria-hidden />
      <Input className={styles.input ?? ''} placeholder={placeholder} />
    </SearchField>
  );
}

export function CheckInput({
  children,
  label,
  isSelected,
  isIndeterminate,
  onChange,
  isDisabled,
}: {
  children?: ReactNode;
  /** Name of a box without visible text. */
  label?: string;
  isSelected: boolean;
  isIndeterminate?: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <Checkbox
      className={styles.check ?? ''}
      isSelected={isSelected}
      isIndeterminate={isIndeterminate ?? false}
      isDisabled={isDisabled ?? false}
      onChange={onChange}
      {...(label !== undefined && { 'aria-label': label })}
    >
      <span className={styles.box} aria-hidden>
        {isIndeterminate ? (
          <Minus size={14} strokeWidth={3} />
        ) : (
          isSelected && <Check size={14} strokeWidth={3} />
        )}
      </span>
      {children && <span>{children}</span>}
    </Checkbox>
  );
}

export function SwitchInput({
  children,
  label,
  isSelected,
  onChange,
  isDisabled,
}: {
  children?: ReactNode;
  label?: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <Switch
      className={styles.check ?? ''}
      isSelected={isSelected}
      isDisabled={isDisabled ?? false}
      onChange={onChange}
      {...(label !== undefined && { 'aria-label': label })}
    >
      <span className={styles.track} aria-hidden />
      {children && <span>{children}</span>}
    </Switch>
  );
}

export function RadioInput<K extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly Choice<K>[];
  value: K;
  onChange: (value: K) => void;
}) {
  return (
    <RadioGroup className={styles.field ?? ''} value={value} onChange={(chosen) => onChange(chosen as K)}>
      <Caption label={label} isOptional={false} />
      <div className={styles.choices}>
        {choices.map((choice) => (
          <Radio key={choice.id} value={choice.id} className={styles.check ?? ''}>
            {({ isSelected }) => (
              <>
                <span className={`${styles.box} ${styles.dot}`} aria-hidden>
                  {isSelected && <span className={styles.pip} />}
                </span>
                <span>
                  {choice.label}
                  {choice.hint && <span className={styles.hint}>{choice.hint}</span>}
                </span>
              </>
            )}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
