import {
  type GraphQLArgument,
  type GraphQLField,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { PublicError } from '../platform/errors.js';
import { fromGlobalId, toGlobalId } from './relay.js';

/** Who asks, as far as reading an id depends on it. */
interface Reader {
  readonly viewer?: { readonly userId: string } | null;
}

/**
 * The types of object that an argument or an input field names, by its own name. Where several are listed, their
 * global ids hold the same raw id.
 */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  userId: ['User'],
  ownerId: ['User'],
  actorId: ['User'],
  postId: ['Post'],
  commentId: ['Comment'],
  replyToId: ['Comment'],
  mediaId: ['Media'],
  mediaIds: ['Media'],
  templateId: ['Template'],
  deliveryId: ['Delivery'],
  deliveryIds: ['Delivery', 'DeadLetter'],
  itemIds: ['InboxItem'],
  deviceId: ['Device'],
  orderId: ['Order'],
  accountId: ['Account'],
  fromAccountId: ['Account'],
  toAccountId: ['Account'],
  transferId: ['Transfer'],
  customerId: ['Customer'],
  productId: ['Product'],
  webhookId: ['Webhook'],
  apiKeyId: ['ApiKey'],
};

/**
 * Ids that stay as they are: `node` reads its own, `commandId` is a key that the caller makes up, and so are the ids of a
 * notification, of a batch and of a schedule, which may well be the global id of what they are about.
 */
const UNREAD = new Set(['id', 'ids', 'commandId', 'notificationId', 'batchId', 'scheduleId']);

/** Raw ids that say more than which object of its type: whose device it is. */
const READ_RAW: Readonly<Record<string, (rawId: string, reader: Reader) => string | null>> = {
  Device: (rawId, { viewer }) => {
    const [userId, deviceId] = readDeviceRawId(rawId);
    return userId === viewer?.userId ? deviceId : null;
  },
};

/** The raw id inside a device's global id: two users may give their devices the same `deviceId`. */
export const deviceRawId = (userId: string, deviceId: string): string => JSON.stringify([userId, deviceId]);

/** @returns empty texts, which no user and no device has, for what `deviceRawId` did not write */
export function readDeviceRawId(rawId: string): readonly [userId: string, deviceId: string] {
  try {
    const [userId, deviceId] = JSON.parse(rawId);
    if (deviceRawId(String(userId), String(deviceId)) === rawId) return [userId, deviceId];
  } catch {
    // Not JSON: no device's.
  }
  return ['', ''];
}

/** How the API names an ID argument or input field to clients; undefined where it takes no global id. */
export const typesNamedBy = (name: string): readonly string[] | undefined =>
  UNREAD.has(name) ? undefined : NAMED[name];

/**
 * Lets every argument and input field of type ID take a global id where it takes a raw one. Resolvers only ever see
 * raw ids.
 *
 * A text counts as a global id where it is exactly what `toGlobalId` writes for a type of this schema; whatever else
 * looks like base64 is a raw id. A raw id that is such a text all the same is named by its own global id.
 *
 * The field fails with BAD_USER_INPUT, naming the argument, for the global id of another type.
 *
 * @throws Error for an ID that is neither in `NAMED` nor in `UNREAD`: a new one is added to either
 */
export function takeGlobalIds(schema: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const nodes = new Set(
    types.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node')).map(({ name }) => name),
  );
  const readers = new Map<string, ReadValue | null>();
  for (const type of types)
    for (const field of Object.values(type.getFields())) {
      const read = readerOfAll(field.args, (value) => readValue(value, nodes, readers));
      if (read) readFirst(field, read);
    }
}

/** The member of an object that is its raw id. Objects of other types bring their own `id`. */
const RAW_IDS: Readonly<Record<string, string>> = {
  AddressSuppression: 'suppressionId',
  Alert: 'alertId',
  ApiKey: 'apiKeyId',
  Campaign: 'campaignId',
  Comment: 'commentId',
  DeadLetter: 'deliveryId',
  Delivery: 'deliveryId',
  InboxItem: 'itemId',
  Media: 'mediaId',
  NotificationPreferences: 'userId',
  NotificationRequest: 'requestId',
  NotificationSchedule: 'seriesId',
  Post: 'postId',
  Projector: 'name',
  QueueStats: 'name',
  // By its version: the rules of a dry run are not those in force.
  RateLimitRuleSet: 'version',
  RateLimitRulesPut: 'sequence',
  StoredEvent: 'globalPosition',
  Template: 'templateId',
  User: 'userId',
  UserAttribute: 'name',
  Webhook: 'webhookId',
};

/** Makes the global ids of `RAW_IDS`. */
export function giveGlobalIds(schema: GraphQLSchema): void {
  for (const [name, rawId] of Object.entries(RAW_IDS)) {
    const type = schema.getType(name);
    if (isObjectType(type))
      type.getFields().id!.resolve = (object: Readonly<Record<string, unknown>>) =>
        toGlobalId(name, String(object[rawId]));
  }
}

type ReadValue = (value: unknown, path: readonly string[], reader: Reader) => unknown;
type Args = Record<string, unknown>;

function readFirst(field: GraphQLField<unknown, Reader>, read: ReadValue): void {
  const { resolve, subscribe } = field;
  if (subscribe)
    field.subscribe = (source, args, context, info) =>
      subscribe(source, read(args, [], context) as Args, context, info);
  if (resolve)
    field.resolve = (source, args, context, info) =>
      resolve(source, read(args, [], context) as Args, context, info);
}

/** Reads each member that holds an id; null where none does. What holds no global id is handed on as it came. */
function readerOfAll(
  members: readonly (GraphQLArgument | GraphQLInputField)[],
  readerOf: (member: GraphQLArgument | GraphQLInputField) => ReadValue | null,
): ReadValue | null {
  const read = members.flatMap((member) => {
    const one = readerOf(member);
    return one ? [[member.name, one] as const] : [];
  });
  if (read.length === 0) return null;
  return (value, path, reader) => {
    let changed: Args | undefined;
    for (const [name, one] of read) {
      const given = (value as Args)[name];
      if (given == null) continue;
      const raw = one(given, [...path, name], reader);
      if (raw === given) continue;
      changed ??= { ...(value as Args) };
      changed[name] = raw;
    }
    return changed ?? value;
  };
}

function readValue(
  member: GraphQLArgument | GraphQLInputField,
  nodes: ReadonlySet<string>,
  readers: Map<string, ReadValue | null>,
): ReadValue | null {
  const type = getNamedType(member.type);
  if (type === GraphQLID) return listed(member.type, idReader(member.name, nodes));
  if (!isInputObjectType(type)) return null;
  if (!readers.has(type.name)) {
    readers.set(type.name, null);
    const fields = Object.values(type.getFields());
    readers.set(
      type.name,
      readerOfAll(fields, (field) => readValue(field, nodes, readers)),
    );
  }
  const read = readers.get(type.name);
  return read ? listed(member.type, read) : null;
}

/** Lists of what `read` reads, as deep as the type has them. */
function listed(type: GraphQLInputType, read: ReadValue | null): ReadValue | null {
  if (!read) return null;
  if (isNonNullType(type)) return listed(type.ofType, read);
  if (!isListType(type)) return read;
  const one = listed(type.ofType, read)!;
  return (value, path, reader) => {
    if (!Array.isArray(value)) return one(value, path, reader);
    const items: readonly unknown[] = value;
    const raw = items.map((item, index) =>
      item == null ? item : one(item, [...path, String(index)], reader),
    );
    return raw.some((item, index) => item !== items[index]) ? raw : value;
  };
}

function idReader(name: string, nodes: ReadonlySet<string>): ReadValue | null {
  if (UNREAD.has(name)) return null;
  const types = NAMED[name];
  if (!types) throw new Error(`${name} is an ID, and nothing says of what type: see NAMED`);
  return (value, path, reader) => {
    const global = typeof value === 'string' ? readGlobalId(value, nodes) : null;
    if (!global) return value;
    const wrong = (message: string): PublicError =>
      new PublicError('BAD_USER_INPUT', `${path.join('.')} ${message}`, path);
    if (!types.includes(global.type))
      throw wrong(`takes a global id of type ${types.join(' or ')}, not ${global.type}`);
    const read = READ_RAW[global.type];
    const rawId = read ? read(global.rawId, reader) : global.rawId;
    if (rawId === null) throw wrong(`is a global id of type ${global.type}, of another user`);
    return rawId;
  };
}

function readGlobalId(id: string, nodes: ReadonlySet<string>): ReturnType<typeof fromGlobalId> {
  const global = fromGlobalId(id);
  if (!global || !nodes.has(global.type)) return null;
  return toGlobalId(global.type, global.rawId) === id ? global : null;
}
