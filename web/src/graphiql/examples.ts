/** What the tabs of a first visit hold; each runs as it stands, as the person in its first line. */
export const examples: readonly { readonly query: string; readonly variables?: Record<string, unknown> }[] = [
  {
    query: `# As alice: the home feed, and why each post is in it
query Feed {
  feed(first: 5) {
    edges {
      why { source score terms { name value weight } }
      node { id content author { displayName } likeCount commentCount }
    }
    pageInfo { endCursor hasNextPage }
  }
}
`,
  },
  {
    query: `# As alice: what comes into the feed from now on. Publish in the next tab.
subscription Live {
  feedUpdated {
    __typename
  }
}
`,
  },
  {
    query: `# As root: one sample a second of what all processes do
subscription Operations {
  operations { at processes eventsPerSecond deliveriesPerSecond feedReadsPerSecond queues { name waiting } }
}
`,
  },
];
