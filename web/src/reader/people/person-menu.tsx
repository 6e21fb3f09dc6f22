import { useQuery } from '@apollo/client/react';
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ban, Bell, BellOff, Ellipsis, VolumeX } from 'lucide-react';
import { graphql } from '../../common/graphql.js';
import { useAct } from '../../common/ui/act.js';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import { BlockDialog } from './block-dialog.js';
import { useBlock, useMute } from './mute-block.js';

const CloseFriends = graphql(/* GraphQL */ `
  query ReaderCloseFriendIds {
    closeFriends(first: 100) {
      edges {
        cursor
        node {
          id
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const SetCloseFriend = graphql(/* GraphQL */ `
  mutation ReaderCloseFriend($userId: ID!, $isClose: Boolean!) {
    setCloseFriend(input: { userId: $userId, isCloseFriend: $isClose }) {
      user {
        id
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** What one can do with a person besides following them. */
export function PersonMenu({ person }: { readonly person: ReaderPersonFragment }) {
  const t = useReaderTexts();
  const mute = useMute();
  const block = useBlock();
  const [isBlocking, { open, close }] = useDisclosure();
  const { data } = useQuery(CloseFriends, { skip: !person.viewerFollows });
  const isClose = data?.closeFriends.edges.some(({ node }) => node.id === person.id) ?? false;
  const closeFriend = useAct(SetCloseFriend, {
    done: t(isClose ? 'person.bellOff' : 'person.bellOn', { name: person.displayName }),
    refetch: ['ReaderCloseFriendIds'],
  });
  const name = person.displayName;
  return (
    <>
      <Menu position="bottom-end" radius="md" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" radius="xl" size={30} aria-label={t('person.menu', { name })}>
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {person.viewerFollows && (
            <Menu.Item
              leftSection={isClose ? <BellOff size={16} aria-hidden /> : <Bell size={16} aria-hidden />}
              onClick={() => void closeFriend.act({ userId: person.userId, isClose: !isClose })}
            >
              {t(isClose ? 'person.bellStop' : 'person.bell')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<VolumeX size={16} aria-hidden />} onClick={() => void mute(person)}>
            {t(person.viewerMutes ? 'person.unmuteName' : 'person.muteName', { name })}
          </Menu.Item>
          <Menu.Item
            leftSection={<Ban size={16} aria-hidden />}
            onClick={person.viewerBlocks ? () => void block(person) : open}
          >
            {t(person.viewerBlocks ? 'person.unblockName' : 'person.blockName', { name })}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isBlocking && <BlockDialog person={person} close={close} />}
    </>
  );
}
