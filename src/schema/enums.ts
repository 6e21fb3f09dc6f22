import { registerEnumType } from 'type-graphql';

/** Declares an enum of the API: what it is for, and what each of its values means. */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) {
  return register(name, description, values, (value) => value) as { readonly [Name in Value]: Name };
}

/** As `enumOf`, for values that code writes in lower case. */
export function lowerCaseEnumOf<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Uppercase<Value>, string>>,
) {
  const declared = register(name, description, values, (value) => value.toLowerCase());
  return declared as { readonly [Name in Value as Uppercase<Name>]: Name };
}

function register(
  name: string,
  description: string,
  values: Readonly<Record<string, string>>,
  inCode: (value: string) => string,
): Readonly<Record<string, string>> {
  const meanings = Object.entries(values);
  const declared = Object.fromEntries(meanings.map(([value]) => [value, inCode(value)]));
  const valuesConfig = Object.fromEntries(
    meanings.map(([value, meaning]) => [value, { description: meaning }]),
  );
  registerEnumType(declared, { name, description, valuesConfig });
  return declared;
}
