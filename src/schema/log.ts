import { ArgsType, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { RecordedEvent } from '../platform/event-log/index.js';
import type { ProjectorOverview } from '../platform/projector/overview.js';
import { connectionOf } from './connections.js';
import { enumOf } from './enums.js';
import { Payload, payloadOf } from './payload.js';
import { Node, PagingArgs } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';

const ProjectorState = enumOf<ProjectorOverview['state']>(
  'ProjectorState',
  'How well a projector keeps up.',
  {
    LIVE: 'It has applied everything, or is less than 1 s behind.',
    CATCHING_UP: 'It is more than 1 s behind.',
    REBUILDING: 'Its read model is being built anew, or waits to be.',
    STALLED: 'An event cannot be applied; `lastError` says which.',
  },
);

@ObjectType({ simpleResolvers: true, description: 'One event of the append-only log.' })
export class StoredEvent {
  @Field(() => ID)
  id: string;
  @Field({
    description:
      'Its position in the whole log: 1, 2, 3 and so on without gaps, in commit order. Text, since it may pass 2^31.',
  })
  globalPosition: string;
  @Field({ description: "The stream that it belongs to: `Order-` and the order's id, for example." })
  streamId: string;
  @Field(() => Int, { description: 'Its position in that stream: 0, 1, 2 and so on.' })
  streamPosition: number;
  @Field({ description: 'What happened.' })
  eventType: string;
  @Field(() => JSONObject, { description: 'The facts, in the newest schema version of the event.' })
  data: RecordedEvent['data'];
  @Field(() => JSONObject, { description: '`correlationId`, `causationId` and `userId`.' })
  metadata: RecordedEvent['metadata'];
  @Field(() => DateTime, { description: 'When it was recorded.' })
  createdAt: Date;
}

export const toStoredEvent = ({
  type,
  globalPosition,
  ...event
}: RecordedEvent): Omit<StoredEvent, 'id'> => ({
  ...event,
  eventType: type,
  globalPosition: String(globalPosition),
});

export const EventConnection = connectionOf(
  'Event',
  StoredEvent,
  'A page of the log, in its order. There is no `totalCount`: positions are numbered without gaps.',
);

@ArgsType()
export class EventsArgs extends PagingArgs {
  @Field(() => String, { nullable: true, description: 'Only events at this global position or after it.' })
  fromPosition?: string | null;
  @Field(() => String, { nullable: true, description: 'Only events of this stream.' })
  streamId?: string | null;
  @Field(() => String, { nullable: true, description: 'Only events that followed from this request.' })
  correlationId?: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A read model that is to be built anew, or is being built beside the live one.',
})
export class ProjectorRebuild {
  @Field(() => DateTime, { description: 'When it was asked for.' })
  requestedAt: Date;
  @Field(() => ID, { description: 'The raw id of the admin who asked for it.' })
  requestedBy: string;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the build began; a build that is made again after a crash begins anew. Null while it waits for the process that runs the projector.',
  })
  startedAt: Date | null;
  @Field({ description: 'The last global position in the new tables, to about 5,000 events.' })
  position: string;
  @Field({
    description:
      'The global position up to which it is built: that of the live read model, which moves on. At this position indexes may still be built, then both are swapped.',
  })
  targetPosition: string;
}

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A process that follows the log and keeps a read model, or starts follow-up work.',
})
export class Projector extends Node {
  @Field({ description: 'Its name.' })
  name: string;
  @Field(() => ProjectorState, { description: 'How well it keeps up.' })
  state: ProjectorOverview['state'];
  @Field({ description: 'The last global position that it has applied.' })
  lastPosition: string;
  @Field({ description: 'The last global position of the log.' })
  headPosition: string;
  @Field(() => Int, { description: 'How many events it has not applied yet.' })
  lagEvents: number;
  @Field(() => Float, {
    description:
      'The age of the oldest event that it has not applied yet, in milliseconds; 0 where there is none.',
  })
  lagMs: number;
  @Field(() => String, {
    nullable: true,
    description: 'The event that it cannot apply, or why its last rebuild failed. Null where neither is so.',
  })
  lastError: string | null;
  @Field(() => DateTime, { description: 'When it applied something last.' })
  updatedAt: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When its last rebuild took over. Null where there was none.',
  })
  rebuiltAt: Date | null;
  @Field(() => ProjectorRebuild, {
    nullable: true,
    description: 'How far the rebuild is that is asked for or under way. Null where there is none.',
  })
  rebuild: ProjectorRebuild | null;
}

export const toProjector = ({ rebuild, ...projector }: ProjectorOverview): Omit<Projector, 'id'> => ({
  ...projector,
  lastPosition: String(projector.lastPosition),
  headPosition: String(projector.headPosition),
  rebuild: rebuild && {
    ...rebuild,
    position: String(rebuild.position),
    targetPosition: String(rebuild.targetPosition),
  },
});

@InputType()
export class RebuildProjectorInput {
  @Field({ description: "The projector's name, as `projectors` has it." })
  name: string;
}

export const RebuildProjectorPayload = payloadOf('RebuildProjector', { projector: Projector });

@InputType()
export class ForgetProjectorInput {
  @Field({ description: "The projector's name, as `projectors` has it." })
  name: string;
}

@ObjectType({ simpleResolvers: true })
export class ForgetProjectorPayload extends Payload {
  @Field(() => ID, {
    nullable: true,
    description:
      'The global id of the projector that is not listed any more: a cache can drop it. Null where it was refused.',
  })
  deletedId: string | null;
}
