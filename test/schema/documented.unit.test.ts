import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const filesIn = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}${file}`);

/** Stand-in providers, demo data and generated code answer no client. */
const product = filesIn('src/', '.ts')
  .filter((file) => !/^src\/(sandbox|demo)\/|\/generated\//.test(file))
  .map((file) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));

/** What makes an error, its code first. */
const MAKERS = /^(refused|requestError|PublicError)$/;
const CODE = /^[A-Z][A-Z_]+$/;
/** Nobody is answered them: inside a transfer or a long delete, and where a guard sees what was just ruled out. */
const INTERNAL = ['STEP_NOT_DUE', 'FACTS_CHANGED', 'USER_NOT_FOUND', 'THREAD_TOO_LONG', 'REPLIES_CHANGED'];

it('has every error code that a client can meet in the list of errors', () => {
  const codes = new Set([
    ...product.flatMap(codesIn),
    ...filesIn('prisma/functions/', '.sql').flatMap(codesInSql),
  ]);
  const list = read('docs/errors.md');
  expect(codes).toContain('RATE_LIMIT_RULES_UNREACHABLE');
  expect(codes).toContain('STOCK_RESERVED');
  expect([...codes].filter((code) => !INTERNAL.includes(code) && !list.includes(`\`${code}\``))).toEqual([]);
});

it('has every metric of a process in the guides for its operators', () => {
  const metrics = new Set(product.flatMap(metricsIn));
  const guides = read('docs/operations.md') + read('docs/limits.md');
  expect(metrics).toContain('rate_limiter_check_duration_seconds');
  expect(metrics).toContain('projector_position');
  expect([...metrics].filter((metric) => !new RegExp(`\`${metric}[\`{]`).test(guides))).toEqual([]);
});

/** The code of each error that is made, whichever of several is chosen, and all that a type of codes names. */
function codesIn(file: ts.SourceFile): string[] {
  return nodesOf(file)
    .flatMap((node) => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node))
        return MAKERS.test(textOf(node.expression)) ? textsIn(node.arguments?.[0]) : [];
      if (ts.isPropertyAssignment(node)) return textOf(node.name) === 'code' ? textsIn(node.initializer) : [];
      if (ts.isTypeAliasDeclaration(node)) return node.name.text.endsWith('Code') ? textsIn(node.type) : [];
      return ts.isUnionTypeNode(node) && node.types.some(isTypeOfCodes) ? textsIn(node) : [];
    })
    .filter((text) => CODE.test(text));
}

const isTypeOfCodes = (type: ts.TypeNode): boolean =>
  ts.isTypeReferenceNode(type) && textOf(type.typeName).endsWith('Code');

/** What guards refuse with: `{"refuse": "CODE"}` or `jsonb_build_object('refuse', 'CODE'`. */
const codesInSql = (file: string): string[] =>
  [...read(file).matchAll(/["']refuse["'][:,] ["']([A-Z_]+)["']/g)].map((match) => match[1]!);

/** What has a name and a help is a metric; the name may be a constant of its file. */
function metricsIn(file: ts.SourceFile): string[] {
  const nodes = nodesOf(file);
  return nodes.filter(ts.isObjectLiteralExpression).flatMap(({ properties }) => {
    const member = (name: string) =>
      properties.filter(ts.isPropertyAssignment).find((property) => textOf(property.name) === name)
        ?.initializer;
    const name = member('name');
    if (!name || !member('help')) return [];
    const constants = nodes.filter(ts.isVariableDeclaration);
    const constant = constants.find(
      (declared) => ts.isIdentifier(name) && textOf(declared.name) === name.text,
    );
    return textsIn(constant?.initializer ?? name);
  });
}

const textOf = (node: ts.Node): string => {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : '';
};

const textsIn = (node: ts.Node | undefined): string[] =>
  node ? nodesOf(node).flatMap((inner) => (ts.isStringLiteral(inner) ? [inner.text] : [])) : [];

/** The node and all below it. */
function nodesOf(node: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  function visit(one: ts.Node): void {
    nodes.push(one);
    ts.forEachChild(one, visit);
  }
  visit(node);
  return nodes;
}
