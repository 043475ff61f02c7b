#include "pccrr.h"

void PCCRR::GetSutPlatform() { phase = Phase::Init; }
void PCCRR::InitSut() { phase = Phase::Idle; }
void PCCRR::RcvNegoReq(Platform) { phase = Phase::SendNegoResp; }
void PCCRR::SndNegoResp() { phase = Phase::Listening; }
void PCCRR::TriggerSutDwnld() { phase = Phase::Listening; }
void PCCRR::RcvGetBlkList() { phase = Phase::SendBlkList; }
void PCCRR::SndBlkList() { phase = Phase::Listening; }
void PCCRR::SndBlkListAb() { phase = Phase::Listening; }

void PCCRR::RcvGetBlk(int index) {
  blockIndex = index;
  phase = Phase::SendBlk;
}

void PCCRR::SndBlk(int, bool timely, bool well_formed) {
  isDownloadComplete = timely && well_formed;
  phase = Phase::VerifyContent;
}

void PCCRR::SutTimeOut() { phase = Phase::End; }

void PCCRR::SutVerifyBlk(int) {
  phase = isDownloadComplete && blockIndex == 3 ? Phase::End : Phase::Listening;
}
