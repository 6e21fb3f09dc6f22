-- Writes the row of a post beside its PostPublished, and counts it where it shares another.
-- Whether the post is pushed or pulled is frozen here, by its author's status at this moment.
--
-- args: postId, authorId (user id), content, visibility, labels, fingerprint (decimal, 64 bits signed, or null),
--   mediaIds; mentions: user ids, or absent; link: a URL, or null; sharedPostId, viaPostId: the post that is shared and the one through which, which may be the same, or null
-- value: postId, firstPulled: whether none of the author's earlier posts was pulled, and this one is
-- refuses: AUTHOR_NOT_FOUND; NOT_FOUND (the author may not see the shared post, or it is gone), NOT_SHAREABLE (it is
--   another's and not public); MEDIA_NOT_FOUND (or another's), MEDIA_FAILED, with its index
CREATE OR REPLACE FUNCTION guard_publish_post(args jsonb, at timestamptz, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  author users%ROWTYPE;
  shared posts%ROWTYPE;
  fault jsonb;
BEGIN
  SELECT * INTO author FROM users WHERE user_id = args ->> 'authorId';
  IF NOT FOUND THEN
    RETURN '{"refuse": "AUTHOR_NOT_FOUND"}';
  END IF;
  IF args ->> 'sharedPostId' IS NOT NULL THEN
    IF NOT may_see_post((args ->> 'sharedPostId')::uuid, author.id)
        OR NOT may_see_post((args ->> 'viaPostId')::uuid, author.id) THEN
      RETURN '{"refuse": "NOT_FOUND"}';
    END IF;
    SELECT * INTO shared FROM posts WHERE post_id = (args ->> 'sharedPostId')::uuid;
    IF shared.visibility <> 'public' AND shared.author_id <> author.id THEN
      RETURN '{"refuse": "NOT_SHAREABLE"}';
    END IF;
  END IF;
  IF jsonb_array_length(args -> 'mediaIds') > 0 THEN
    SELECT jsonb_build_object('index', given.n - 1,
        'refuse', CASE WHEN m.state = 'failed' THEN 'MEDIA_FAILED' ELSE 'MEDIA_NOT_FOUND' END) INTO fault
      FROM jsonb_array_elements_text(args -> 'mediaIds') WITH ORDINALITY AS given (id, n)
      LEFT JOIN media m ON m.media_id = given.id::uuid AND m.owner_id = author.user_id
      WHERE m.media_id IS NULL OR m.state NOT IN ('uploaded', 'processing', 'ready')
      ORDER BY given.n LIMIT 1;
    IF fault IS NOT NULL THEN
      RETURN fault;
    END IF;
  END IF;

  INSERT INTO posts (post_id, author_id, content, media_ids, shared_post_id, visibility, labels, fingerprint,
    distribution, position, version, created_at)
  VALUES ((args ->> 'postId')::uuid, author.id, args ->> 'content',
    ARRAY(SELECT jsonb_array_elements_text(args -> 'mediaIds')::uuid), shared.post_id, args ->> 'visibility',
    ARRAY(SELECT jsonb_array_elements_text(args -> 'labels')), (args ->> 'fingerprint')::bigint,
    CASE WHEN author.is_celebrity THEN 'pull' ELSE 'push' END, log_position, log_position,
    date_trunc('milliseconds', at));
  IF args ->> 'link' IS NOT NULL THEN
    PERFORM note_link((args ->> 'postId')::uuid, args ->> 'link');
  END IF;
  PERFORM note_mentions((args ->> 'postId')::uuid, author.id, args -> 'mentions', log_position);
  IF shared.post_id IS NOT NULL THEN
    INSERT INTO post_count_deltas (post_id, counter, delta) VALUES (shared.post_id, 'SHARE', 1);
  END IF;
  IF author.is_celebrity AND NOT author.has_pulled THEN
    UPDATE users SET has_pulled = true WHERE id = author.id;
  END IF;
  RETURN jsonb_build_object('value', jsonb_build_object('postId', args ->> 'postId',
    'firstPulled', author.is_celebrity AND NOT author.has_pulled));
END;
$$;
