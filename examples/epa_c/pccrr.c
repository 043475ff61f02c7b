/* The server side of the content retrieval protocol PCCRR, translated as in the paper; the platform is not Windows 7.
   Three clauses compare an argument with a variable. With -DSECOND the flag isTestingNego is gone. */
#include <stdbool.h>

enum phase { GetPlatform, Init, Idle, Listening, SendNegoResp, SendBlkList, SendBlk, VerifyContent, End };
enum platform { Windows7, NonWindows };

#define BLOCKS 4

static enum phase phase = GetPlatform;
static enum platform platform = NonWindows;
static bool isNormalMode = true, isDownloadComplete = false;
#ifdef SECOND
static const bool isTestingNego = false;
#else
static bool isTestingNego = false;
#endif
static int blockIndex = 0;

int inv(void) {
  return platform == NonWindows && phase >= GetPlatform && phase <= End && blockIndex >= 0 && blockIndex < BLOCKS;
}

int GetSutPlatform_req(void) { return phase == GetPlatform; }
void GetSutPlatform(void) { phase = Init; }

int InitSut_req(void) { return phase == Init; }
void InitSut(bool nego) {
#ifndef SECOND
  isTestingNego = nego;
#else
  (void)nego;
#endif
  phase = Idle;
}

int RcvNegoReq_req(enum platform sut) { return phase == Listening && platform != Windows7 && sut == platform; }
void RcvNegoReq(enum platform sut) {
  (void)sut;
  phase = SendNegoResp;
}

int SndNegoResp_req(void) { return isTestingNego || phase == SendNegoResp; }
void SndNegoResp(void) { phase = Listening; }

int TriggerSutDwnld_req(void) { return phase == Idle; }
void TriggerSutDwnld(void) { phase = Listening; }

int RcvGetBlkList_req(void) { return phase == Listening; }
void RcvGetBlkList(void) { phase = SendBlkList; }

int SndBlkList_req(void) { return phase == SendBlkList && isNormalMode; }
void SndBlkList(void) { phase = Listening; }

int SndBlkListAb_req(void) { return phase == SendBlkList && !isNormalMode; }
void SndBlkListAb(void) { phase = Listening; }

int RcvGetBlk_req(int index) { return phase == Listening && index >= 0 && index < BLOCKS; }
void RcvGetBlk(int index) {
  blockIndex = index;
  phase = SendBlk;
}

int SndBlk_req(int index) { return phase == SendBlk && index == blockIndex; }
void SndBlk(int index, bool timely, bool well_formed) {
  (void)index;
  isDownloadComplete = timely && well_formed;
  phase = VerifyContent;
}

int SutTimeOut_req(void) { return phase == Listening; }
void SutTimeOut(void) { phase = End; }

int SutVerifyBlk_req(int index) { return phase == VerifyContent && index == blockIndex; }
void SutVerifyBlk(int index) {
  (void)index;
  if (isDownloadComplete && blockIndex == BLOCKS - 1)
    phase = End;
  else
    phase = Listening;
}
