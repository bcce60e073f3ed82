#ifndef RELAYOUT_PEER_INTERFACE_H
#define RELAYOUT_PEER_INTERFACE_H

/* What `relayout compare --peer FILE` asks of a shared object: other implementations to time beside the kernel,
   in the same process and the same buffers. Plain C, so that any compiler's output will do. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RELAYOUT_PEER_VERSION 1

/* Strides in elements. */
typedef struct relayout_peer_loop {
  int64_t extent;
  int64_t source_stride;
  int64_t destination_stride;
} relayout_peer_loop;

/* A nest of loops, by rising destination stride: the innermost first. Bases in elements. */
typedef struct relayout_peer_box {
  int64_t source_base;
  int64_t destination_base;
  int64_t loop_count;
  const relayout_peer_loop* loops;
} relayout_peer_box;

/* A conversion: all boxes together move every element once. Padding need not be written. */
typedef struct relayout_peer_problem {
  int64_t element_bytes;
  int64_t source_bytes;
  int64_t destination_bytes;
  int64_t box_count;
  const relayout_peer_box* boxes;
} relayout_peer_problem;

typedef struct relayout_peer {
  const char* name;
  /* Gets ready to convert from `source` to `destination`. Null if it cannot express the problem. What the
     problem points to lives until release. */
  void* (*prepare)(const relayout_peer_problem* problem, const void* source, void* destination);
  /* Converts on the calling thread alone. */
  void (*run)(void* prepared);
  void (*release)(void* prepared);
} relayout_peer;

typedef struct relayout_peer_list {
  int32_t version; /* RELAYOUT_PEER_VERSION */
  int32_t count;
  const relayout_peer* peers;
} relayout_peer_list;

/* The one symbol that is looked up. What it returns is never freed. */
const relayout_peer_list* relayout_peers(void);

#ifdef __cplusplus
}
#endif

#endif
